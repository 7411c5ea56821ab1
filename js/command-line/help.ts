/** Where the commands that take keys find them. */
export const KEYS_FROM = `Keys are arguments, or without any the lines of standard input; empty lines are left out, and
an empty key is the argument "".`;

/** How keys are written. */
export const KEY_OPTIONS = `  --hex       keys are written as pairs of hexadecimal digits
  --escapes   keys are written as redis-cli prints them: "\\xac\\xed\\n", also without the quotes`;

/** Where a topology comes from. */
export const TOPOLOGY_OPTIONS = `  --topology FILE
              a topology that was saved or copied: CLUSTER SLOTS, SHARDS or NODES as JSON or as
              redis-cli prints it; "-" for standard input
  --cluster HOST:PORT[,HOST:PORT...]
              a live cluster, which the first of these nodes that can be reached describes; needs
              ioredis or iovalkey
  --user NAME the user of that cluster; the password is read from the environment variable
              REDISCLI_AUTH, and certificates beyond the usual from NODE_EXTRA_CA_CERTS
  --tls       connect by TLS`;

/** What the process ends with. */
export const EXIT_CODES = `Exit codes:
  0   nothing is wrong
  1   something is: gaps, conflicts, keys without one primary, a skew beyond --max-skew, with
      --same keys in several slots
  2   the arguments or the input cannot be read
  3   no node of the cluster told its topology
  70  a fault of redslot-wasm itself`;
