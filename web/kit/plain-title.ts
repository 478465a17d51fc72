/** Titles come from files and from other people. Pure. */

/**
 * A title without the signs that turn the order of what follows them: those could make it, and the words beside it, read
 * as something else. What is really written from right to left keeps its order.
 */
export function plainTitle(title: string): string {
  return title.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
}
