/** Colours for code. Loaded when the first code is shown. */
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { common, createLowlight } from 'lowlight';
import type { ReactNode } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';

const lowlight = createLowlight(common);

/** @returns undefined for a language that is not known */
export function highlight(text: string, language: string): ReactNode | undefined {
  if (!lowlight.registered(language)) return undefined;
  return toJsxRuntime(lowlight.highlight(language, text), { Fragment, jsx, jsxs });
}
