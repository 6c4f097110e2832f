/**
 * The variables that installers, compilers and downloads get: where programs and temporary files are, and how to reach
 * the network. Scripts of packages run with them, so tokens, keys and settings of this package stay out.
 */
const names = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TERM|COLUMNS|NO_COLOR|FORCE_COLOR|CI|TMPDIR|TMP|TEMP)$/i,
  /^XDG_\w+$/,
  /^\w+_proxy$/i,
  /^(NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|NODE_USE_SYSTEM_CA|NODE_OPTIONS|SSL_CERT_FILE|SSL_CERT_DIR)$/,
  /^npm_config_.+$/i,
  /^PIP_\w+$/,
  /^(GO[A-Z0-9]+|GO_EXTLINK_ENABLED|CGO_\w+|CC|CXX)$/,
  /^(SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|HOMEDRIVE|HOMEPATH)$/i,
  /^(ProgramData|ProgramFiles(\(x86\))?|CommonProgramFiles|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE|OS)$/i,
  /^TUNNEL_GATEWAY_RUN$/, // an interrupted run finds its processes by it
];

export function installerEnv(env = process.env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => names.some((each) => each.test(name))));
}
