#!/usr/bin/env node
// Runs the built program. Written so that any Node understands it, to say clearly when this one is too old.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = new URL('../dist/cli.js', import.meta.url);
const [major, minor] = process.versions.node.split('.').map(Number);

function refuse(what, hint) {
  process.stderr.write(`▲ ${what}\n  Next: ${hint}\n`);
  process.exitCode = 1;
}

if (major < 20 || (major === 20 && minor < 19)) {
  refuse(
    `Guild Hall needs Node 20.19 or newer; this is ${process.versions.node}.`,
    'Install a newer Node, then repeat.',
  );
} else if (!existsSync(built)) {
  refuse(
    `Guild Hall is not built yet: ${fileURLToPath(built)} is missing.`,
    'npm start (installs, builds and starts it)',
  );
} else {
  await import(built.href);
}
