// must trip: only-processes-spawns
export async function planted(): Promise<unknown> {
  return import('node:child_process');
}
