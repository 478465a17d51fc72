/** Programs in which what is typed is run as commands. Agents do not speak there. Pure. */
import type { TerminalView } from '../contract.ts';

const shells =
  'sh bash zsh fish dash ksh mksh yash csh tcsh ash rc nu pwsh powershell xonsh elvish osh ysh murex'.split(' ');

/** They run a program that is named behind them. */
const runners = `env nohup setsid exec command nice ionice chrt taskset timeout stdbuf time unbuffer rlwrap setarch
  unshare nsenter strace ltrace xargs fakeroot proot bwrap firejail flatpak-spawn systemd-run
  dbus-run-session ssh-agent busybox toybox direnv mise docker podman nerdctl kubectl oc machinectl
  distrobox toolbox vagrant nix uv poetry pipenv conda`.split(/\s+/);

/** And these a shell where none is. */
const logins = ['sudo', 'doas', 'su', 'runuser', 'pkexec', 'chroot'];

/** A word behind a runner with which it opens a shell by itself. */
const opens = ['shell', 'enter', 'ssh', 'develop', 'login'];

/** Shells within, whatever is named behind them; and what has a command that runs others: `!`, `\!`, `:!`. */
const always = `tmux screen zellij byobu dtach abduco mosh telnet login script nix-shell psql mysql mariadb sqlite
  mongosh redis-cli ftp sftp lftp gdb lldb irb pry iex jshell ghci ipython bpython ptpython utop
  groovysh octave less more most man vi vim nvim view ex ed emacs nano hx helix`.split(/\s+/);

/** What is typed there is run where they are given no program. */
const interpreters = `python pypy node deno bun ruby perl lua luajit php r julia scala erl clj clojure racket guile sbcl
  ocaml tclsh wish expect`.split(/\s+/);

/** Options of shells with a word of their own behind them. */
const optionsWithWord = ['-o', '+o', '-O', '+O', '--rcfile', '--init-file'];

/** What is typed there is run as commands: a shell by its entry, or one that was started without a program to run. */
export function isShell(given: Pick<TerminalView, 'entry' | 'command'> & { readonly isShell?: boolean | undefined }) {
  if (given.isShell === true) return true;
  return given.entry === null ? isShellCommand(given.command) : given.entry === 'shell';
}

/** @param command a program and its words */
export function isShellCommand(command: readonly string[]): boolean {
  const [program = '', ...words] = command;
  const name = nameOf(program);
  if (always.includes(name)) return true;
  if (name === 'ssh') return isRemoteShell(words);
  const isLogin = logins.includes(name);
  if (!isLogin && !runners.includes(name)) return isBare(command);
  if (words.some((_word, at) => isBare(words.slice(at)) || always.includes(nameOf(words[at]!)))) return true;
  if (!isLogin) return words.some((word) => opens.includes(word));
  if (name === 'chroot') return words.filter((word) => !word.startsWith('-')).length < 2;
  if (name === 'su' || name === 'runuser') return !words.includes('-c');
  return words.includes('-i') || words.includes('-s') || words.every((word) => word.startsWith('-'));
}

/** Without path, ending and version: `/usr/bin/python3.12` is python. */
function nameOf(program: string): string {
  const last = program.split('/').at(-1)!;
  const plain = last
    .replace(/\.exe$/i, '')
    .replace(/^-/, '')
    .toLowerCase();
  return shells.includes(plain) ? plain : plain.replace(/-?\d[\d.]*$/, '');
}

/** A shell, or an interpreter, with nothing to run. */
function isBare([program = '', ...words]: readonly string[]): boolean {
  const name = nameOf(program);
  if (interpreters.includes(name)) {
    const runs = words.some((word) => !word.startsWith('-') || /^-(?:[a-z]*[cemr]|-eval|-print)$/i.test(word));
    return !runs || words.includes('-i') || words.includes('-a') || words[0] === 'repl';
  }
  const own = words.filter((_word, at) => at === 0 || !optionsWithWord.includes(words[at - 1]!));
  return shells.includes(name) && own.every((word) => /^[-+]/.test(word) && !/^-[a-z]*c/.test(word));
}

/** Options of ssh with a word of their own behind them. */
const sshOption = /^-[1-9a-zA-Z]*[BbcDEeFIiJLlmOopQRSWw]$/;

/** Behind the machine's name nothing is named, or a shell. */
function isRemoteShell(words: readonly string[]): boolean {
  const at = words.findIndex((word, index) => !word.startsWith('-') && !sshOption.test(words[index - 1] ?? ''));
  const command = at === -1 ? [] : words.slice(at + 1).filter((word, index) => index > 0 || !word.startsWith('-'));
  return command.length === 0 || isShellCommand(command.flatMap((word) => word.split(/\s+/)).filter(Boolean));
}
