type Encode = (value: unknown) => string | undefined

let loading: Promise<Encode | undefined> | undefined

/** The encoder of the optional package `@toon-format/toon`; undefined where it is not installed. */
export function loadToon(): Promise<Encode | undefined> {
  return (loading ??= load())
}

async function load(): Promise<Encode | undefined> {
  try {
    const { encode } = await import('@toon-format/toon')
    return (value) => {
      try {
        return encode(value)
      } catch {
        // It does not hold every value.
        return undefined
      }
    }
  } catch {
    return undefined
  }
}
