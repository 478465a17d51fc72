/** Where in this app a path of a project is shown. Pure. */

/** Address of an artifact's page. @param path below the project: `.lore/…` */
export function artifactAddress(project: string, path: string): string {
  return `/app/projects/${encodeURIComponent(project)}/artifacts/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * Where a link within an artifact's text leads, for `Markdown`; undefined for what is no artifact.
 * @param from path of the artifact that has the link, or of nothing (links then begin at the project's folder)
 */
export function addressesFrom(
  project: string,
  from: string | undefined,
): (link: string, isMention?: boolean) => string | undefined {
  return (link, isMention = false) => {
    // Whether there is such an artifact is not known here.
    if (isMention) return undefined;
    const target = link.replace(/[?#].*$/s, '');
    if (target === '' || !/\.md$/i.test(target)) return undefined;
    const base = target.startsWith('/') || target.startsWith('.lore/') ? [] : (from ?? '').split('/').slice(0, -1);
    const path = resolve([...base, ...decode(target).split('/')]);
    return path?.startsWith('.lore/') ? artifactAddress(project, path) : undefined;
  };
}

/** Undefined when it leads out of the project. */
function resolve(parts: readonly string[]): string | undefined {
  const done: string[] = [];
  for (const part of parts) {
    if (part === '..' && done.pop() === undefined) return undefined;
    if (part !== '' && part !== '.' && part !== '..') done.push(part);
  }
  return done.join('/');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return text;
  }
}
