/** How common files begin, and what they are. */
const SIGNATURES: readonly (readonly [hex: string, kind: string])[] = [
  ['89504e470d0a1a0a', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['47494638', 'a GIF image'],
  ['25504446', 'a PDF document'],
  ['504b0304', 'a ZIP archive, or a document in that form'],
  ['1f8b', 'a gzip archive'],
  ['28b52ffd', 'a zstd archive'],
  ['7f454c46', 'a Linux program'],
  ['4d5a', 'a Windows program'],
  ['0061736d', 'a WebAssembly module'],
  ['53514c69746520666f726d6174203300', 'an SQLite database'],
]

/** What a file that is no text seems to be. */
export function binaryKind(head: Buffer): string {
  const hex = head.subarray(0, 16).toString('hex')
  return SIGNATURES.find(([signature]) => hex.startsWith(signature))?.[1] ?? 'of an unknown binary kind'
}
