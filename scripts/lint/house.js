/** The house's own lint rules: what no ready rule says. Loaded by `.oxlintrc.json`; each message says what to do instead. */

const isMember = (node, object, property) =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === object &&
  ((!node.computed && node.property.name === property) || (node.computed && node.property.value === property));

const isNamed = (node, name) => node?.type === 'Identifier' && node.name === name;

const makesNow = (node) => isNamed(node.callee, 'Date') && (node.arguments?.length ?? 0) === 0;

const freshFromCrypto = new Set(['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'randomFillSync']);

/** Time and fresh ids come through `ctx`. With `altogether` (pure files) the word `Date` may not occur at all. */
const noClock = {
  meta: { type: 'problem', schema: [{ enum: ['reads', 'altogether'] }] },
  create(context) {
    const altogether = context.options[0] === 'altogether';
    const say = (node, what, instead) =>
      context.report({ node, message: `${what} is not used here: take ${instead}.` });
    return {
      NewExpression(node) {
        if (makesNow(node)) say(node, '`new Date()`', '`ctx.clock.nowIso()` or `ctx.clock.nowMs()`');
        else if (altogether && isNamed(node.callee, 'Date')) {
          say(node, '`Date`', 'the time as a parameter, ISO 8601 text or milliseconds');
        }
      },
      CallExpression(node) {
        if (makesNow(node)) say(node, '`Date()`', '`ctx.clock.nowIso()`');
      },
      MemberExpression(node) {
        if (isMember(node, 'Date', 'now')) say(node, '`Date.now`', '`ctx.clock.nowMs()`');
        else if (altogether && isNamed(node.object, 'Date')) say(node, '`Date`', 'the time as a parameter');
        if (isMember(node, 'Math', 'random')) say(node, '`Math.random`', '`ctx.ids.random(length)`');
        if (isMember(node, 'performance', 'now')) say(node, '`performance.now`', '`ctx.clock.monotonicMs()`');
        if (isNamed(node.object, 'process') && node.property.name === 'hrtime') {
          say(node, '`process.hrtime`', '`ctx.clock.monotonicMs()`');
        }
        if (isNamed(node.object, 'crypto') && freshFromCrypto.has(node.property.name)) {
          say(node, `\`crypto.${node.property.name}\``, '`ctx.ids`');
        }
      },
      ImportDeclaration(node) {
        const source = node.source.value.replace(/^node:/, '');
        for (const { imported } of node.specifiers) {
          const name = imported?.name;
          if (source === 'crypto' && freshFromCrypto.has(name)) say(node, `\`${name}\``, '`ctx.ids`');
          if (source === 'perf_hooks' && name === 'performance')
            say(node, '`performance`', '`ctx.clock.monotonicMs()`');
        }
      },
    };
  },
};

/** Errors for people carry a code and a hint. */
const noPlainError = {
  create: (context) => ({
    ThrowStatement(node) {
      const made = node.argument;
      const isPlain =
        (made?.type === 'NewExpression' || made?.type === 'CallExpression') && isNamed(made.callee, 'Error');
      if (!isPlain) return;
      context.report({
        node,
        message: 'Throw `fail(code, message, hint)` of kernel/pure/errors.ts: a plain Error has no hint.',
      });
    },
  }),
};

const noExportAll = {
  create: (context) => ({
    ExportAllDeclaration(node) {
      context.report({ node, message: 'Export by name: `export *` makes public what nobody decided to.' });
    },
  }),
};

const noModuleMocks = {
  create: (context) => ({
    CallExpression(node) {
      if (!['mock', 'doMock', 'hoisted'].some((name) => isMember(node.callee, 'vi', name))) return;
      context.report({
        node,
        message: 'No module mocks: test rules by table, edges with the real thing (temp folder, real git).',
      });
    },
  }),
};

/** Tests wait for a signal or a condition, never for time to pass. */
const noTimedWait = {
  create: (context) => {
    const message = 'Tests wait for a signal (an event, `deferred`, `background.idle()`), never for time to pass.';
    return {
      CallExpression(node) {
        if (isNamed(node.callee, 'setTimeout') || isNamed(node.callee, 'setInterval'))
          context.report({ node, message });
      },
      ImportDeclaration(node) {
        if (/^(node:)?timers(\/promises)?$/.test(node.source.value)) context.report({ node, message });
      },
    };
  },
};

const rawWrites = new Set(['writeFile', 'writeFileSync', 'appendFile', 'appendFileSync', 'createWriteStream']);

/** Files are written whole or not at all, with fault points around: one place knows how. */
const noRawWrite = {
  create: (context) => ({
    CallExpression(node) {
      const { callee } = node;
      const name = callee.type === 'MemberExpression' ? callee.property.name : callee.name;
      if (!rawWrites.has(name)) return;
      context.report({
        node,
        message: `\`${name}\` may leave half a file: use writeAtomically or appendDurably of kernel/artifacts/write.ts.`,
      });
    },
  }),
};

const swallows = (body) =>
  (body.type === 'BlockStatement' && body.body.length === 0) ||
  isNamed(body, 'undefined') ||
  (body.type === 'Literal' && [null, false, ''].includes(body.value));

/** `.catch(() => undefined)` is an empty catch in other clothes: it needs its sentence too. */
const noSilentCatch = {
  create: (context) => ({
    CallExpression(node) {
      const [handler] = node.arguments;
      if (node.callee.type !== 'MemberExpression' || node.callee.property.name !== 'catch') return;
      if (handler?.type !== 'ArrowFunctionExpression' || handler.params.length > 0 || !swallows(handler.body)) return;
      const { sourceCode } = context;
      const line = handler.loc.start.line;
      const isExplained = sourceCode
        .getAllComments()
        .some((comment) => comment.loc.end.line >= line - 1 && comment.loc.start.line <= handler.loc.end.line);
      if (isExplained) return;
      context.report({
        node: handler,
        message: 'This swallows every error: say in a comment why that is right, or let it through.',
      });
    },
  }),
};

export default {
  meta: { name: 'house' },
  rules: {
    'no-clock': noClock,
    'no-plain-error': noPlainError,
    'no-export-all': noExportAll,
    'no-module-mocks': noModuleMocks,
    'no-timed-wait': noTimedWait,
    'no-silent-catch': noSilentCatch,
    'no-raw-write': noRawWrite,
  },
};
