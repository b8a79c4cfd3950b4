'use strict'

/** Read when calls are first reported. A literal `require` in a CommonJS module is followed by bundlers and tracers of deployments. */
module.exports = () => {
  // Inside a try, a bundler that does not find it goes on.
  try {
    return require('@opentelemetry/api')
  } catch (cause) {
    throw new Error('@opentelemetry/api cannot be loaded.', { cause })
  }
}
