/**
 * What this browser keeps for this origin, a text under a key. Where the browser has no room, or keeps nothing, the text
 * lives as long as the page: nothing is lost on the way from one piece to another.
 */
const withoutRoom = new Map<string, string>();

export function readKept(key: string): string | null {
  return withoutRoom.get(key) ?? readStored(key);
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // The person has told the browser to keep nothing.
    return null;
  }
}

/** @param text null forgets what was kept */
export function keep(key: string, text: string | null): void {
  withoutRoom.delete(key);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    if (text !== null) keepWithoutRoom(key, text);
  }
}

function keepWithoutRoom(key: string, text: string): void {
  withoutRoom.set(key, text);
  try {
    // An older text must not come back instead of this one.
    localStorage.removeItem(key);
  } catch {
    // There is none then.
  }
}
