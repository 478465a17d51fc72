// must trip: web-pages-apart
import { Page } from '../two/page.tsx';
export const Planted = () => <Page />;
