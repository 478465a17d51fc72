/** Answers of git that can never change, because all that they were asked by is the names of objects. */

export interface Remembered<T> {
  /** Also those that are still being waited for. */
  readonly answers: Map<string, Promise<T>>;
  /** So many are kept. */
  readonly max: number;
}

const nameOfObject = /^[0-9a-f]{40}$/;

/** Under what an answer is kept; undefined where one of the revisions is a name, which may point elsewhere tomorrow. */
export function keyOfObjects(repo: string, ...revisions: readonly string[]): string | undefined {
  return revisions.every((each) => nameOfObject.test(each)) ? [repo, ...revisions].join('\0') : undefined;
}

/** Gives what is known, or asks and keeps the answer where `isKept` says that it is small and sure enough. */
export async function askOnce<T>(
  { answers, max }: Remembered<T>,
  key: string | undefined,
  ask: () => Promise<T>,
  isKept: (answer: T) => boolean = () => true,
): Promise<T> {
  const known = key === undefined ? undefined : answers.get(key);
  if (known !== undefined) return known;
  const asked = ask();
  if (key === undefined) return asked;
  answers.set(key, asked);
  for (const oldest of [...answers.keys()].slice(0, Math.max(0, answers.size - max))) answers.delete(oldest);
  try {
    const answer = await asked;
    if (!isKept(answer)) answers.delete(key);
    return answer;
  } catch (error) {
    answers.delete(key);
    throw error;
  }
}
