/** Notes of one kind about objects, as a WeakMap has them. */
export interface HiddenField<K extends object, V> {
  readonly get: (key: K) => V | undefined
  readonly set: (key: K, value: V) => void
}

/** A constructor that gives back what it was given: the fields of a class that extends it are put on that object. */
const Given = function (given: object): object {
  return given
} as unknown as new (given: object) => object

/**
 * For notes that refer to the object that they are about. An entry of a WeakMap with such a value stays in memory until a full garbage collection,
 * with all that the value refers to; a private field of the object goes with it.
 */
export function hiddenField<K extends object, V>(): HiddenField<K, V> {
  // Of objects that take no more fields.
  const others = new WeakMap<K, V>()
  class Noted extends Given {
    #value: V

    constructor(key: K, value: V) {
      super(key)
      this.#value = value
    }

    static read(key: K): V | undefined {
      return #value in key ? (key as unknown as Noted).#value : others.get(key)
    }

    static write(key: K, value: V): void {
      if (#value in key) (key as unknown as Noted).#value = value
      else if (Object.isExtensible(key)) Reflect.construct(Noted, [key, value])
      else others.set(key, value)
    }
  }
  return { get: (key) => Noted.read(key), set: (key, value) => Noted.write(key, value) }
}
