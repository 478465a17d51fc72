// must trip: source-without-web
import { Page } from '../../../web/pages/two/page.tsx';
export const planted = Page;
