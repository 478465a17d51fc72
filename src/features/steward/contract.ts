/** The worker that keeps the overview: what it is called, and what it alone may ask the hall for. */

/** Name of its package, and of the toolbox that the hall provides for it. */
export const stewardName = 'manager';

/** For operations that are open to it, and to no other agent. */
export const stewardOnly: readonly string[] = [stewardName];
