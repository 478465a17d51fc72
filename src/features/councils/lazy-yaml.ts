/**
 * The YAML parser for those that load it only when they need it. In the built program `import('yaml')` gives a module with
 * a default alone, since that package is no ES module; this file is one.
 */
export { Document, parse, parseDocument } from 'yaml';
