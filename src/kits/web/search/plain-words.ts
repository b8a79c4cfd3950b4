import { visible } from '../visible-text.ts'

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** A text of a search engine without its tags, entities and invisible characters. */
export function plainWords(text: unknown): string {
  if (typeof text !== 'string') return ''
  const decoded = text
    .replaceAll(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? all
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return point > 0 && point <= 0x10_ffff ? String.fromCodePoint(point) : all
    })
  return visible(decoded.replaceAll(/\p{Cc}+/gu, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
}
