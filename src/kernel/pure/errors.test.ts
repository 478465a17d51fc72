import { expect, test, vi } from 'vitest';
import { errorFactsOf, fail, HallError } from './errors.ts';

const systemError = (code: string, more: object = {}): Error =>
  Object.assign(new Error(`${code}: no`), { code, ...more });

test('what the system says of a disk is told in words, with the next thing to do; other faults are the hall’s own', () => {
  expect(errorFactsOf(systemError('ENOSPC'))).toMatchObject({
    code: 'unavailable',
    message: 'The disk is full: the hall could not write its files.',
    hint: expect.stringContaining('df -h'),
  });
  expect(errorFactsOf(systemError('EDQUOT', { path: '/h/a' })).message).toContain('/h/a');
  for (const code of ['EROFS', 'EACCES', 'EPERM']) {
    expect(errorFactsOf(systemError(code, { path: '/h/a' }))).toMatchObject({
      code: 'unavailable',
      message: `The hall may not read or write /h/a: ${code}: no.`,
    });
    expect(errorFactsOf(systemError(code)).code).toBe('internal');
  }
  expect(errorFactsOf(systemError('EBADF', { path: '/h/a' })).code).toBe('internal');
  expect(errorFactsOf('text').message).toContain('inside the hall: text');
  expect(errorFactsOf(fail('conflict', 'm', 'h'))).toEqual({ code: 'conflict', message: 'm', hint: 'h' });
});

test('an error of the program’s other bundle is known; another that looks like one is not', async () => {
  vi.resetModules();
  const other = await import('./errors.ts');
  const thrown = other.fail('conflict', 'm', 'h');
  expect(other.HallError).not.toBe(HallError);
  expect(thrown).toBeInstanceOf(HallError);
  expect(errorFactsOf(thrown)).toEqual({ code: 'conflict', message: 'm', hint: 'h' });
  const likeness = Object.assign(new Error('m'), { name: 'HallError', code: 'conflict', hint: 'h' });
  expect(likeness).not.toBeInstanceOf(HallError);
  expect(thrown.facts).not.toBeInstanceOf(HallError);
});
