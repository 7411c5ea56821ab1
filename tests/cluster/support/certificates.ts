import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GenerateResult, generate } from 'selfsigned';

// The keys of RSA take seconds to make.
const KEYS = { algorithm: 'sha256', keyType: 'ec' } as const;

/** A made-up authority and its certificates for nodes, in a directory of their own. */
export class Authority {
  readonly #dir = mkdtempSync(join(tmpdir(), 'redslot-tls-'));
  readonly #root: GenerateResult;
  /** Its own certificate, by which clients know it. */
  readonly cert: string;
  /** The file of that certificate. */
  readonly certFile = join(this.#dir, 'ca.pem');
  #issued = 0;

  private constructor(root: GenerateResult) {
    this.#root = root;
    this.cert = root.cert;
    writeFileSync(this.certFile, root.cert);
  }

  static async create(): Promise<Authority> {
    const root = await generate([{ name: 'commonName', value: 'made-up authority' }], {
      ...KEYS,
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      ],
    });
    return new Authority(root);
  }

  /** Server options for a node whose certificate is for the names, and for no address. */
  async nodeFor(...names: [string, ...string[]]): Promise<Record<string, string>> {
    const { cert, private: key } = await generate([{ name: 'commonName', value: names[0] }], {
      ...KEYS,
      ca: { cert: this.#root.cert, key: this.#root.private },
      extensions: [
        { name: 'basicConstraints', cA: false },
        { name: 'keyUsage', digitalSignature: true },
        // Nodes are clients of each other.
        { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
        { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
      ],
    });
    this.#issued += 1;
    const path = (kind: string) => join(this.#dir, `${this.#issued}.${kind}.pem`);
    writeFileSync(path('cert'), cert);
    writeFileSync(path('key'), key);
    return {
      'tls-cert-file': path('cert'),
      'tls-key-file': path('key'),
      'tls-ca-cert-file': this.certFile,
      'tls-auth-clients': 'no',
      'tls-cluster': 'yes',
      'tls-replication': 'yes',
    };
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
