/**
 * The import law (docs/decisions/0003-import-law.md). Checked by `npm run check -- imports`, which also proves that
 * every rule below still catches the violation planted for it in test/house/planted/.
 */

/** Kernel folders, lowest first. A folder imports those of earlier steps; within a step only `within` says so. */
const kernelSteps = [
  { folders: ['pure'], within: true },
  { folders: ['clock', 'log', 'locks', 'secrets', 'background'], within: true },
  { folders: ['operations', 'events'], within: false },
  { folders: ['processes'], within: false },
  { folders: ['artifacts'], within: false },
  { folders: ['git'], within: false },
  { folders: ['projects'], within: false },
  { folders: ['terminals'], within: false },
  { folders: ['agents'], within: false },
  { folders: ['workers'], within: false },
];

const pureFile = '^src/(kernel/pure/|kernel/agents/tools\\.ts$|.+/(contract|rules|fold)(/|\\.ts$))';
/** Tests, and suites that several tests run (kernel/agents/conformance*.ts). */
const testFile = '(\\.test|/conformance[a-z-]*)\\.tsx?$';

const kernelOrder = kernelSteps.flatMap(({ folders, within }, step) =>
  folders.map((folder) => {
    const lower = kernelSteps.slice(0, step).flatMap((earlier) => earlier.folders);
    const allowed = [...lower, ...(within ? folders : [folder])];
    return {
      name: `kernel-order-${folder}`,
      comment: `kernel/${folder} may import only: ${allowed.join(', ')}. Move the shared part down, or the caller up.`,
      severity: 'error',
      from: { path: `^src/kernel/${folder}/` },
      to: { path: '^src/kernel/', pathNot: `^src/kernel/(${allowed.join('|')})/` },
    };
  }),
);

const rules = [
  {
    name: 'kernel-known-folder',
    comment: 'A folder of the kernel has a place in the order: add it to kernelSteps in .dependency-cruiser.cjs.',
    severity: 'error',
    from: {
      path: '^src/kernel/',
      pathNot: `^src/kernel/(${kernelSteps.flatMap((step) => step.folders).join('|')})/`,
    },
    to: {},
  },
  {
    name: 'kernel-below-features',
    comment: 'The kernel imports no feature, no interface: features register with it.',
    severity: 'error',
    from: { path: '^src/kernel/' },
    to: { path: '^src/', pathNot: '^src/kernel/' },
  },
  {
    name: 'feature-contract-only',
    comment: 'Of another feature only its contract.ts may be imported; what else is needed belongs there or in main.',
    severity: 'error',
    from: { path: '^src/features/([^/]+)/' },
    to: { path: '^src/features/', pathNot: ['^src/features/$1/', '^src/features/[^/]+/contract(/|\\.ts$)'] },
  },
  {
    name: 'feature-below-interfaces',
    comment: 'A feature knows no door: interfaces mount its operations.',
    severity: 'error',
    from: { path: '^src/features/' },
    to: { path: '^src/interfaces/' },
  },
  {
    name: 'interface-contract-only',
    comment: 'A door gets bound operations handed in by main; of a feature it imports only contract.ts.',
    severity: 'error',
    from: { path: '^src/interfaces/' },
    to: { path: '^src/features/', pathNot: '^src/features/[^/]+/contract(/|\\.ts$)' },
  },
  {
    name: 'interfaces-apart',
    comment: 'One door does not lean on another: what two need goes to the kernel.',
    severity: 'error',
    from: { path: '^src/interfaces/([^/]+)/' },
    to: { path: '^src/interfaces/', pathNot: '^src/interfaces/$1/' },
  },
  {
    name: 'nobody-imports-main',
    comment: 'main joins things and is the only one that does; nothing imports it.',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/main/' },
    to: { path: '^src/main/' },
  },
  {
    name: 'pure-imports-pure',
    comment:
      'contract, rules, fold and kernel/pure import each other, zod and the Markdown parser: no Node, no kernel part that acts.',
    severity: 'error',
    from: { path: pureFile, pathNot: testFile },
    to: { pathNot: [pureFile, '^node_modules/(zod|mdast-util-from-markdown)/'] },
  },
  {
    name: 'only-processes-spawns',
    comment: 'Only kernel/processes starts processes: use runCommand or startProcess.',
    severity: 'error',
    from: { path: '^src/', pathNot: ['^src/kernel/processes/', testFile] },
    to: { path: ['^child_process$', '^node:child_process$', '^node_modules/execa/'] },
  },
  {
    name: 'web-shares-what-is-pure',
    comment:
      'The web app imports of src/ only kernel/pure, contract.ts, fold and (for their types) descriptions.ts: the rest runs in the hall.',
    severity: 'error',
    from: { path: '^web/' },
    to: {
      path: '^src/',
      pathNot: '^src/(kernel/pure/|features/[^/]+/(contract|fold|descriptions)(/|\\.ts$))',
    },
  },
  {
    name: 'web-order',
    comment:
      'Within web/: kit is below state, state below pages and app; a page imports no other page (app/router.tsx joins them).',
    severity: 'error',
    from: { path: '^web/(kit|state)/' },
    to: { path: '^web/(pages|app)/' },
  },
  {
    name: 'web-pages-apart',
    comment: 'A page imports no other page: what two need goes to web/kit, web/state or web/app.',
    severity: 'error',
    from: { path: '^web/pages/([^/]+)/' },
    to: { path: '^web/pages/', pathNot: '^web/pages/$1/' },
  },
  {
    name: 'source-without-web',
    comment: 'The hall serves the built web app and imports nothing of it.',
    severity: 'error',
    from: { path: '^src/' },
    to: { path: '^web/' },
  },
  {
    name: 'source-without-tests',
    comment: 'What ships imports nothing of test/, scripts/ or bench/, and no test file.',
    severity: 'error',
    from: { path: '^(src|web)/', pathNot: testFile },
    to: { path: ['^(test|scripts|bench)/', testFile] },
  },
  {
    name: 'source-without-dev-packages',
    comment: 'What ships imports only packages under "dependencies".',
    severity: 'error',
    from: { path: '^(src|web)/', pathNot: [testFile, '^web/tsconfig\\.json$'] },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: '^node_modules/@types/' },
  },
  {
    name: 'resolvable',
    comment: 'The imported file or package does not exist: correct the path (with its ending), or add the package.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'no-cycle',
    comment: 'Files import each other in a ring: move what both need into a third file below them.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
];

module.exports = {
  forbidden: [...rules, ...kernelOrder],
  options: {
    // TypeScript 7 has no API that the cruiser can use; without this line it would cruise nothing and say all is well.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
