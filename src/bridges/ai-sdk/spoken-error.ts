/** The SDK shows an error to the model by its `toString`: as `Error: <message>`, without the name of the class. */
export function spokenError<E extends Error>(error: E): E {
  return Object.defineProperty(error, 'toString', { value: () => `Error: ${error.message}`, configurable: true })
}
