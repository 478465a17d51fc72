/** What kind of text a pin is, by its first line that is not blank. Pure. */
import type { ContentType } from './extraction.ts';

/** A line longer than this tells by its beginning. */
const longestLine = 500;

/** The first that fits decides. */
const kinds: readonly (readonly [RegExp, ContentType])[] = [
  [/^#!.*\b(?:ba|da|z|k)?sh\b/, 'sh'],
  [/^\{/, 'json'],
  [/^\[\s*(?:$|["[{]|\],?$|(?:-?\d[\d.eE+-]*|true|false|null)\s*(?:,|\]?,?$))/, 'json'],
  [/^# /, 'md'],
  [/^interface\s+[\w$]+(?:\s*[<{]|\s+extends\b|$)/, 'ts'],
  [/^type\s+[\w$]+\s*(?:<[^=]*>)?\s*=/, 'ts'],
  [
    /^export\s+(?:default|const|let|var|async|function|class|abstract|interface|type|enum|declare|namespace|import|[*{=])/,
    'ts',
  ],
  [/^(?:async\s+)?function\b\s*\*?\s*[\w$]*\s*[(<]/, 'ts'],
  [/^(?:async\s+)?def\s+\w+\s*[(:[]/, 'py'],
  [/^package\s+\w+$/, 'go'],
  [/^func(?:\s+\w+)?\s*[([]/, 'go'],
  [/^(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const|extern)\s+)*fn\s+\w+.*\(/, 'rs'],
  [/^fun\s+[^(]*\(/, 'kt'],
  [/^public\s+(?:(?:final|abstract|sealed)\s+)*(?:class|static|interface|enum|record)\b/, 'java'],
  [/^(?:(?:final|abstract)\s+)*class\s+\w.*\{/, 'java'],
  [/^import\s+(?:Foundation|UIKit|SwiftUI|Combine)\b/, 'swift'],
  [/^(?:import\s+(?:static\s+)?[\w.]+(?:\.\*)?|package\s+[\w.]+);$/, 'java'],
  [/^import\s+(?:java|javax|jakarta)\./, 'java'],
  [/^import\s.*\sfrom\s+["']/, 'ts'],
  [/^import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*[,#].*)?$/, 'py'],
  [/^from\s+[\w.]+\s+import\b/, 'py'],
];

export function detectType(content: string): ContentType {
  const line =
    content
      .split('\n')
      .find((each) => each.trim() !== '')
      ?.trim()
      .slice(0, longestLine) ?? '';
  return kinds.find(([form]) => form.test(line))?.[1] ?? 'md';
}
