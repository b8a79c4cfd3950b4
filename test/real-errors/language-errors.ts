import { createDecipheriv, createHash, createPrivateKey, createPublicKey, X509Certificate, type webcrypto } from 'node:crypto'
import { promises as dns } from 'node:dns'
import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { createSecureContext } from 'node:tls'
import { parseArgs, promisify } from 'node:util'
import { brotliCompressSync, brotliDecompressSync, deflateSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { type RealError, realErrors } from './real-error.ts'

const { subtle } = globalThis.crypto
const key = (...usages: webcrypto.KeyUsage[]): Promise<webcrypto.CryptoKey> =>
  subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, usages) as Promise<webcrypto.CryptoKey>

/** Errors of the parts of Node that have nothing but names, codes or sentences of their own. */
export const LANGUAGE_ERRORS: readonly RealError[] = [
  ...realErrors('node:crypto', [
    ['a key that is none', 'invalid_request', 'failed', () => createPrivateKey('garbage')],
    [
      'a public key that is none',
      'invalid_request',
      'failed',
      () => createPublicKey('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'),
    ],
    ['a certificate that is none', 'invalid_request', 'failed', () => new X509Certificate('none')],
    [
      'a text that another key has encrypted',
      'invalid_request',
      'failed',
      () => {
        const decipher = createDecipheriv('aes-256-cbc', Buffer.alloc(32), Buffer.alloc(16))
        decipher.update(Buffer.alloc(16, 7))
        decipher.final()
      },
    ],
    [
      'a text that was changed',
      'invalid_request',
      'failed',
      () => {
        const decipher = createDecipheriv('aes-256-gcm', Buffer.alloc(32), Buffer.alloc(12))
        decipher.setAuthTag(Buffer.alloc(16))
        decipher.update(Buffer.alloc(4))
        decipher.final()
      },
    ],
    ['a digest that does not exist', 'invalid_request', 'failed', () => createHash('none')],
    ['a cipher that does not exist', 'tool_crashed', 'failed', () => createDecipheriv('none', 'a', 'b')],
  ]),
  ...realErrors('DOMException', [
    [
      'a text that cannot be decrypted',
      'invalid_request',
      'failed',
      async () => subtle.decrypt({ name: 'AES-GCM', iv: Buffer.alloc(12) }, await key('decrypt'), Buffer.alloc(40)),
    ],
    [
      'a key for another use',
      'tool_crashed',
      'failed',
      async () => subtle.decrypt({ name: 'AES-GCM', iv: Buffer.alloc(12) }, await key('encrypt'), Buffer.alloc(40)),
    ],
    ['an algorithm that does not exist', 'tool_crashed', 'failed', () => subtle.digest('MD99', Buffer.alloc(1))],
    ['a key of a wrong length', 'tool_crashed', 'failed', () => subtle.importKey('raw', Buffer.alloc(3), 'AES-GCM', false, ['encrypt'])],
    ['what is not allowed', 'access_denied', 'failed', () => thrown(new DOMException('The request is not allowed.', 'NotAllowedError'))],
    ['a network that fails', 'service_unavailable', 'unknown', () => thrown(new DOMException('A network error occurred.', 'NetworkError'))],
  ]),
  ...realErrors('node:dns', [['a name that no name can be', 'invalid_request', 'failed', () => dns.resolve4('a..b..c')]]),
  ...realErrors('node:tls', [
    ['a version that does not exist', 'tool_crashed', 'failed', () => createSecureContext({ minVersion: 'TLSv9' as 'TLSv1.2' })],
  ]),
  ...realErrors('node:http headers', [
    ['a name with a blank', 'invalid_request', 'failed', () => request('http://127.0.0.1', { headers: { 'a b': 'x' } })],
    ['a value with a line break', 'invalid_request', 'failed', () => request('http://127.0.0.1', { headers: { a: 'x\ny' } })],
    ['a name that fetch refuses', 'invalid_request', 'failed', () => fetch('http://127.0.0.1', { headers: { 'a b': 'x' } })],
    ['a URL with a password', 'invalid_request', 'failed', () => fetch('http://a:b@127.0.0.1')],
    ['an answer that is no form', 'upstream_error', 'unknown', () => new Response('a').formData()],
  ]),
  ...realErrors('packed data', [
    [
      'data without their dictionary',
      'upstream_error',
      'unknown',
      () => inflateSync(deflateSync('aaaa', { dictionary: Buffer.from('aaaa') })),
    ],
    [
      'Brotli data that are cut off',
      'upstream_error',
      'unknown',
      () => brotliDecompressSync(brotliCompressSync('hello world hello').subarray(0, 8)),
    ],
    ['no Zstandard data', 'upstream_error', 'unknown', () => zstdDecompressSync(Buffer.from('none'))],
  ]),
  ...realErrors('names of the world', [
    ['a time zone that does not exist', 'invalid_request', 'failed', () => new Intl.DateTimeFormat('en', { timeZone: 'Mars/Phobos' })],
    [
      'a currency that does not exist',
      'invalid_request',
      'failed',
      () => new Intl.NumberFormat('en', { style: 'currency', currency: 'EURO' }),
    ],
    ['a language that does not exist', 'invalid_request', 'failed', () => new Intl.NumberFormat('x_y_z')],
    ['a moment that does not exist', 'invalid_request', 'failed', () => new Date('nonsense').toISOString()],
  ]),
  ...realErrors('programs', [
    [
      'more output than is taken',
      'tool_failed',
      'unknown',
      () => promisify(execFile)(process.execPath, ['--eval', 'console.log("x".repeat(1e5))'], { maxBuffer: 100 }),
    ],
    ['a flag that nobody knows', 'invalid_request', 'failed', () => parseArgs({ args: ['--none'] })],
    ['a module of an odd scheme', 'tool_crashed', 'failed', () => import(['no:such', 'thing'].join('-'))],
  ]),
]

function thrown(error: unknown): never {
  throw error
}
