/** A text that begins with its own title says it once, in the head. Pure. */
export function withoutTitle(body: string, title: string): string {
  const [, heading, rest] = /^\s*# +([^\n]+)\n?(.*)$/s.exec(body) ?? [];
  return heading?.trim() === title.trim() ? (rest ?? '') : body;
}
