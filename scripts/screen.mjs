/** Whether there is somebody at a screen, whose browser may be opened unasked. */

/**
 * @param {readonly string[]} args words after `npm start --`
 * @param {boolean | undefined} isTty
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @returns {boolean}
 */
export function wantsBrowser(args, isTty, env, platform) {
  if (args.includes('--no-open') || isTty !== true || isSet(env['CI'])) return false;
  return platform === 'darwin' || isSet(env['DISPLAY']) || isSet(env['WAYLAND_DISPLAY']);
}

/** @param {string | undefined} value */
function isSet(value) {
  return value !== undefined && value !== '' && value !== 'false';
}
