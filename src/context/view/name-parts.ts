/** A part that names have in common. */
export interface NamePart {
  readonly name: string
  /** Other words for it. */
  readonly also: readonly string[]
  readonly of: (text: string) => string | undefined
}

/** What names have in common: the folder and the ending of a file, the domain of an address, the host of a link, the first part of a name. */
export const NAME_PARTS: readonly NamePart[] = [
  {
    name: 'folder',
    also: ['directory', 'dir'],
    of: (text) => (/^[^\s@]*\/[^\s/]+$/.test(text) && !text.includes('://') ? text.slice(0, text.lastIndexOf('/')) : undefined),
  },
  { name: 'ending', also: ['extension', 'ext', 'suffix'], of: (text) => /[^/\s.]\.([A-Za-z]\w{0,7})$/.exec(text)?.[1] },
  { name: 'domain', also: [], of: (text) => /^[^\s@]+@([\w.-]+\.\w+)$/.exec(text)?.[1] },
  { name: 'host', also: ['site', 'website', 'domain', 'hostname'], of: (text) => /^[a-z][a-z\d+.-]*:\/\/([^/\s:?#]+)/i.exec(text)?.[1] },
  { name: 'beginning', also: ['prefix'], of: (text) => /^([\p{L}_]{2,20})(?=[-_:.#]?\d|[-_:./#][\p{L}\d])/u.exec(text)?.[1] },
]
