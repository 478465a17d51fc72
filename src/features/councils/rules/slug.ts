/** ASCII in lower case, every other run of characters a hyphen; at most `max` characters, no hyphen at either end. */
export function slugFrom(text: string, max: number): string {
  return text
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, max)
    .replace(/-$/, '');
}
