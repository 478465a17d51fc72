/** Images that were chosen and are not sent yet, in the browser's own database: a reload loses none. */
export interface KeptImage {
  /** As the person's file is called. */
  readonly name: string;
  /** What is sent: a picture that may be smaller than the file was. */
  readonly blob: Blob;
  /** Bytes of the file. */
  readonly was: number;
}

const database = 'guild-hall';
const shelf = 'images';

/** What the browser does not keep lives as long as the page. */
const withoutRoom = new Map<string, readonly KeptImage[]>();

export async function readImages(key: string): Promise<readonly KeptImage[]> {
  const held = withoutRoom.get(key);
  if (held !== undefined) return held;
  try {
    const found: unknown = await ask('readonly', (store) => store.get(key));
    return Array.isArray(found) ? found.filter(isKept) : [];
  } catch {
    return [];
  }
}

/** @param images none forgets what was kept */
export async function keepImages(key: string, images: readonly KeptImage[]): Promise<void> {
  withoutRoom.delete(key);
  try {
    await ask('readwrite', (store) => (images.length === 0 ? store.delete(key) : store.put([...images], key)));
  } catch {
    if (images.length > 0) withoutRoom.set(key, images);
  }
}

function isKept(value: unknown): value is KeptImage {
  const image = value as Partial<Record<keyof KeptImage, unknown>> | null;
  return typeof image?.name === 'string' && image.blob instanceof Blob && typeof image.was === 'number';
}

async function ask(mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opened = indexedDB.open(database, 1);
  opened.addEventListener('upgradeneeded', () => opened.result.createObjectStore(shelf));
  const db = (await answerOf(opened)) as IDBDatabase;
  try {
    const transaction = db.transaction(shelf, mode);
    // Only the end of the transaction says that it is kept: what a request was answered is undone where there is no room.
    const [answer] = await Promise.all([answerOf(run(transaction.objectStore(shelf))), endOf(transaction)]);
    return answer;
  } finally {
    db.close();
  }
}

function answerOf(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser keeps nothing.')));
  });
}

function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('The browser keeps nothing.')));
  });
}
