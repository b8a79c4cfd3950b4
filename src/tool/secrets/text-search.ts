import type { Span } from './spans.ts'

/** From a text that is longer only the beginning is compared. */
const LONGEST = 4096
const FEW = 32

/** So many places are compared with each of a few texts. To make the tree for fewer places would take longer. */
const MOST_COMPARED = 64

/** Finds texts in another one. The work is linear in the lengths, however often the texts repeat themselves or each other. */
export class TextSearch {
  readonly #texts: readonly string[]
  /** Whether a text may begin with two characters, by a hash of them. Its size is a power of two. */
  readonly #starts: Uint8Array
  #prefixes: PrefixTree | undefined
  /** How many places may still be compared before the tree is made: the work stays linear. */
  #left: number

  constructor(texts: Iterable<string>) {
    this.#texts = Array.from(texts).filter((text) => text !== '')
    this.#starts = new Uint8Array(this.#texts.length > FEW ? 1 << 15 : 1 << 9)
    for (const text of this.#texts) {
      if (text.length === 1) this.#starts.fill(1)
      else this.#starts[hashOf(text.charCodeAt(0), text.charCodeAt(1)) & (this.#starts.length - 1)] = 1
    }
    this.#left = this.#texts.length <= FEW && this.#texts.every(({ length }) => length <= LONGEST) ? MOST_COMPARED : 0
  }

  /** Where the texts stand in another one. Places that touch or overlap are one. */
  spansIn(text: string): Span[] {
    const spans: Span[] = []
    const starts = this.#starts
    let prefixes = this.#prefixes
    let node = 0
    let next = text.charCodeAt(0)
    for (let at = 0; at < text.length; at++) {
      const code = next
      next = text.charCodeAt(at + 1)
      if (node === 0 && starts[hashOf(code, next) & (starts.length - 1)] === 0) continue
      if (prefixes === undefined && this.#left > 0) {
        this.#left--
        const longest = this.#longestAt(text, at)
        if (longest > 0) addSpan(spans, at, at + longest)
        continue
      }
      prefixes ??= this.#prefixes = new PrefixTree(this.#texts)
      node = prefixes.after(node, code)
      const length = prefixes.endings[node] ?? 0
      if (length > 0) addSpan(spans, at + 1 - length, Math.min(at + 1 + prefixes.beyond(node), text.length))
    }
    return spans
  }

  /** The length of the longest of the texts that stands here; 0 if there is none. It covers the others that begin here. */
  #longestAt(text: string, at: number): number {
    let longest = 0
    for (const each of this.#texts) if (each.length > longest && text.startsWith(each, at)) longest = each.length
    return longest
  }
}

/** The spans are in order and apart, and stay so. */
function addSpan(spans: Span[], start: number, end: number): void {
  let [from, to] = [start, end]
  for (let last = spans.at(-1); last !== undefined && last[1] >= from; last = spans.at(-1)) {
    from = Math.min(from, last[0])
    to = Math.max(to, last[1])
    spans.pop()
  }
  spans.push([from, to])
}

/**
 * All beginnings of the texts as a tree of characters (Aho-Corasick). After each character the node is the longest beginning that the text
 * read so far ends with. The root is node 0.
 */
class PrefixTree {
  /** The length of the longest text that a node ends with; 0 if there is none. */
  readonly endings: Int32Array
  readonly #parents: Int32Array
  readonly #codes: Uint16Array
  /** The node of the longest shorter beginning that a node ends with. */
  readonly #shorter: Int32Array
  /** The children by a hash of parent and character. Its size is a power of two, and less than half of it is used. */
  readonly #children: Int32Array
  /** How much of a text is not compared, by the node of its beginning. */
  readonly #beyond = new Map<number, number>()
  #size = 1

  constructor(texts: readonly string[]) {
    const total = texts.reduce((sum, { length }) => sum + Math.min(length, LONGEST), 1)
    this.endings = new Int32Array(total)
    this.#parents = new Int32Array(total)
    this.#codes = new Uint16Array(total)
    this.#shorter = new Int32Array(total)
    this.#children = new Int32Array(2 ** Math.ceil(Math.log2(2 * total)))
    this.#addAll(texts.toSorted((a, b) => b.length - a.length))
  }

  beyond(node: number): number {
    return this.#beyond.size === 0 ? 0 : (this.#beyond.get(node) ?? 0)
  }

  after(node: number, code: number): number {
    let from = node
    let child = this.#child(from, code)
    while (child === 0 && from !== 0) {
      from = this.#shorter[from] ?? 0
      child = this.#child(from, code)
    }
    return child
  }

  /** Level by level: the nodes of shorter beginnings are complete when a longer one needs them. */
  #addAll(longestFirst: readonly string[]): void {
    const nodes = new Int32Array(longestFirst.length)
    let count = longestFirst.length
    for (let depth = 1; count > 0; depth++) {
      for (let index = 0; index < count; index++)
        nodes[index] = this.#childOrNew(nodes[index] ?? 0, longestFirst[index]?.charCodeAt(depth - 1) ?? 0)
      for (let length = lengthAt(longestFirst, count); count > 0 && length <= depth; length = lengthAt(longestFirst, count))
        this.endings[nodes[--count] ?? 0] = depth
      if (depth < LONGEST) continue
      while (count-- > 0) {
        const node = nodes[count] ?? 0
        this.endings[node] = depth
        this.#beyond.set(node, (longestFirst[count]?.length ?? 0) - depth)
      }
    }
  }

  #childOrNew(parent: number, code: number): number {
    const slot = this.#slot(parent, code)
    const found = this.#children[slot] ?? 0
    if (found !== 0) return found
    const node = this.#size++
    const shorter = parent === 0 ? 0 : this.after(this.#shorter[parent] ?? 0, code)
    this.#children[slot] = node
    this.#parents[node] = parent
    this.#codes[node] = code
    this.#shorter[node] = shorter
    this.endings[node] = this.endings[shorter] ?? 0
    return node
  }

  #child(parent: number, code: number): number {
    return this.#children[this.#slot(parent, code)] ?? 0
  }

  /** Where this child is, or the free place where it belongs. */
  #slot(parent: number, code: number): number {
    const last = this.#children.length - 1
    let slot = Math.imul(Math.imul(parent, 0x9e3779b1) ^ (code + (parent >>> 7)), 0x85ebca6b)
    slot = (slot ^ (slot >>> 15)) & last
    for (let node = this.#children[slot] ?? 0; node !== 0; node = this.#children[slot] ?? 0) {
      if (this.#parents[node] === parent && this.#codes[node] === code) return slot
      slot = (slot + 1) & last
    }
    return slot
  }
}

function lengthAt(longestFirst: readonly string[], count: number): number {
  return longestFirst[count - 1]?.length ?? 0
}

function hashOf(first: number, second: number): number {
  return (first * 31 + second) | 0
}
