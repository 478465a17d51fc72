// must trip: web-order
import { Page } from '../pages/two/page.tsx';
export const Planted = () => <Page />;
