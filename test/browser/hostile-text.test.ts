/** Text of a hostile repository or agent: shown as text, run by nobody, and nothing is fetched for it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ArtifactShown } from '../../src/features/artifacts/contract.ts';
import { useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { lookAt, well } from './looks.ts';

/** Addresses of this machine, so that a request would be seen even where nothing else can be reached. */
const elsewhere = 'http://127.0.0.1:9';

const columns = Array.from({ length: 40 }, (_, nth) => `column ${nth}`);
const giantTable = [
  columns,
  columns.map(() => '---'),
  ...Array.from({ length: 8 }, () => columns.map(() => 'x'.repeat(30))),
]
  .map((row) => `| ${row.join(' | ')} |`)
  .join('\n');

const hostile = `# Harmless <script>window.taken = 'title'</script>

<script>window.taken = 'script'; fetch('${elsewhere}/script')</script>
<img src="${elsewhere}/raw.png" onerror="window.taken = 'onerror'">
<iframe src="${elsewhere}/frame"></iframe><style>body { display: none }</style>
<a href="javascript:window.taken = 'raw link'">raw link</a> <form action="${elsewhere}/form"><button>Sign in anew</button></form>

![a picture](${elsewhere}/picture.png "title") ![data](data:text/html,<script>window.taken=1</script>) ![ref][ref]
[run me](javascript:window.taken%3D'link') [and me](JaVaScRiPt:alert(1)) [data](data:text/html;base64,PHNjcmlwdD4=) [vb](vbscript:x)
[file](file:///etc/passwd) [to the hall](${elsewhere}/app/sign-in) <javascript:window.taken=2> <${elsewhere}/auto>

[ref]: ${elsewhere}/ref.png

${giantTable}

\`\`\`html
<script>window.taken = 'code'</script>
\`\`\`

${'averyverylongwordthatnobodybreaks'.repeat(40)}

The last words.
`;

const scenario = `
- match: show me
  say: |
${hostile.replaceAll(/^/gm, '    ')}
`;

const hall = useBrowserHall({ scenario });
const browser = useBrowser();

/** Presses every link that leads nowhere else, and says what of the text came alive. */
async function aliveIn(page: Page): Promise<unknown> {
  return await page.evaluate(() => {
    const main = document.querySelector('main')!;
    const links = [...main.querySelectorAll('a')];
    for (const link of links) if (!/^https?:/.test(link.href)) link.click();
    return {
      taken: (globalThis as { taken?: unknown }).taken ?? null,
      tags: [...main.querySelectorAll('script, iframe, style, form[action], img, object, embed')].map(
        (e) => e.outerHTML,
      ),
      schemes: [...new Set(links.map(({ href }) => new URL(href).protocol))],
      newTabs: links.filter(({ host }) => host !== location.host).every(({ rel }) => rel.includes('noopener')),
    };
  });
}

const dead = { taken: null, tags: [], schemes: ['http:'], newTabs: true };

test('an artifact with HTML, scripts, bad links, remote pictures and a giant table is shown safely [WEB-MARKDOWN, SEC-CSP]', async () => {
  const path = '.lore/issues/negative-hours.md';
  const { revision } = (await hall.client.call('artifact.show', { path })) as ArtifactShown;
  await hall.client.call('artifact.edit', {
    path,
    raw: `---\ntitle: Trouble\n---\n${hostile}`,
    baseRevision: revision,
  });
  const { page, requests } = await browser.visit({ hall, path: `/projects/sample/artifacts/${path}` });
  await page.getByText('The last words.').waitFor();
  expect(await aliveIn(page)).toEqual(dead);
  expect(requests.filter((address) => address.includes(':9/'))).toEqual([]);
  // What was left out is told: the picture by its words and where it is.
  await page.getByText('a picture').first().waitFor();
  const looks = await lookAt(page, 'artifact-hostile');
  expect(looks).toEqual(well(looks));
});

test('an answer of such text is shown safely too, while it grows and afterwards [WEB-MARKDOWN, SEC-CSP]', async () => {
  const { id } = await hall.meet('Please show me');
  const { page, requests } = await browser.visit({ hall, path: `/projects/sample/meetings/${id}` });
  await page.getByText('The last words.').waitFor();
  expect(await aliveIn(page)).toEqual(dead);
  await page.getByRole('textbox', { name: 'Words for researcher' }).fill('And show me again');
  await page.keyboard.press('Enter');
  await page.getByText('The last words.').nth(1).waitFor();
  await page.getByText('your turn').waitFor();
  expect(await aliveIn(page)).toEqual(dead);
  expect(requests.filter((address) => address.includes(':9/'))).toEqual([]);
  const looks = await lookAt(page, 'meeting-hostile');
  expect(looks).toEqual(well(looks));
});
