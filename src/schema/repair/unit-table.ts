/** A unit of a dimension, in whole steps of the smallest one, so that conversions are exact. */
export interface Unit {
  readonly name: string
  readonly dimension: string
  readonly steps: number
  readonly words: readonly string[]
  /** Nothing but the name of the measure tells it, so that nothing is converted into it. */
  readonly isImplied?: boolean
}

/**
 * Units of one dimension convert into one another, by exact factors only. A month is no number of days, a kilobyte is 1000 or 1024 bytes, and
 * both have a dimension of their own; a kibibyte is 1024 bytes for everybody.
 */
export const UNITS: readonly Unit[] = [
  unit('ns', 'time', 1, 'ns nanosecond nanoseconds'),
  unit('us', 'time', 1000, 'us µs μs usec microsecond microseconds micros'),
  unit('ms', 'time', 1_000_000, 'ms msec msecs millis millisecond milliseconds'),
  unit('s', 'time', 1_000_000_000, 's sec secs second seconds sekunden secondes segundos'),
  unit('min', 'time', 60_000_000_000, 'm min mins minute minutes minuten minutos'),
  unit('h', 'time', 3_600_000_000_000, 'h hr hrs hour hours stunde stunden std heure heures hora horas'),
  unit('d', 'time', 86_400_000_000_000, 'd day days tag tage jour jours días dias'),
  unit('w', 'time', 604_800_000_000_000, 'w wk wks week weeks woche wochen semaine semaines semana semanas'),
  unit('mm', 'length', 1, 'mm millimeter millimeters millimetre millimetres'),
  unit('cm', 'length', 10, 'cm centimeter centimeters centimetre centimetres'),
  unit('m', 'length', 1000, 'm meter meters metre metres'),
  unit('km', 'length', 1_000_000, 'km kms kilometer kilometers kilometre kilometres'),
  unit('in', 'imperial length', 1, 'in inch inches'),
  unit('ft', 'imperial length', 12, 'ft foot feet'),
  unit('yd', 'imperial length', 36, 'yd yard yards'),
  unit('mi', 'imperial length', 63_360, 'mi mile miles'),
  unit('mg', 'mass', 1, 'mg milligram milligrams'),
  unit('g', 'mass', 1000, 'g gram grams'),
  unit('kg', 'mass', 1_000_000, 'kg kgs kilo kilos kilogram kilograms'),
  unit('t', 'mass', 1_000_000_000, 't tonne tonnes'),
  unit('oz', 'imperial mass', 1, 'oz ounce ounces'),
  unit('lb', 'imperial mass', 16, 'lb lbs pound pounds'),
  unit('ml', 'volume', 1, 'ml milliliter milliliters millilitre millilitres'),
  unit('l', 'volume', 1000, 'l liter liters litre litres'),
  unit('mb', 'megabytes', 1, 'mb megabyte megabytes'),
  unit('kb', 'kilobytes', 1, 'kb kilobyte kilobytes'),
  unit('gb', 'gigabytes', 1, 'gb gigabyte gigabytes'),
  unit('c', 'celsius', 1, '°c c celsius'),
  unit('f', 'fahrenheit', 1, '°f f fahrenheit'),
  unit('kmh', 'speed', 5, 'km/h kmh kph'),
  unit('mph', 'miles an hour', 1, 'mph mi/h'),
  unit('px', 'pixels', 1, 'px pixel pixels'),
  unit('deg', 'degrees', 1, '° deg degree degrees'),
  unit('bpm', 'beats a minute', 1, 'bpm'),
  unit('rpm', 'revolutions a minute', 1, 'rpm'),
  unit('fps', 'frames a second', 1, 'fps'),
  unit('months', 'months', 1, 'month months mo'),
  unit('years', 'months', 12, 'y yr yrs year years'),
  unit('byte', 'bytes', 1, 'byte bytes'),
  unit('kib', 'bytes', 1024, 'kib kibibyte kibibytes'),
  unit('mib', 'bytes', 1024 ** 2, 'mib mebibyte mebibytes'),
  unit('gib', 'bytes', 1024 ** 3, 'gib gibibyte gibibytes'),
  unit('tib', 'bytes', 1024 ** 4, 'tib tebibyte tebibytes'),
  unit('tb', 'terabytes', 1, 'tb terabyte terabytes'),
  unit('bps', 'bits a second', 1, 'bps'),
  unit('kbps', 'bits a second', 1000, 'kbps kbit/s'),
  unit('mbps', 'bits a second', 1_000_000, 'mbps mbit/s'),
  unit('gbps', 'bits a second', 1_000_000_000, 'gbps gbit/s'),
  unit('hz', 'frequency', 1, 'hz hertz'),
  unit('khz', 'frequency', 1000, 'khz kilohertz'),
  unit('mhz', 'frequency', 1_000_000, 'mhz megahertz'),
  unit('ghz', 'frequency', 1_000_000_000, 'ghz gigahertz'),
  unit('w', 'power', 1, 'w watt watts'),
  unit('kw', 'power', 1000, 'kw kilowatt kilowatts'),
  unit('wh', 'energy', 1, 'wh'),
  unit('kwh', 'energy', 1000, 'kwh'),
  unit('kcal', 'kilocalories', 1, 'kcal kilocalorie kilocalories'),
  unit('kj', 'kilojoules', 1, 'kj kilojoule kilojoules'),
  unit('v', 'voltage', 1, 'v volt volts'),
  unit('amp', 'current', 1, 'a amp amps ampere amperes'),
  unit('mah', 'charge', 1, 'mah'),
  unit('pa', 'pressure', 1, 'pa pascal pascals'),
  unit('hpa', 'pressure', 100, 'hpa mbar millibar hectopascal hectopascals'),
  unit('kpa', 'pressure', 1000, 'kpa kilopascal kilopascals'),
  unit('bar', 'pressure', 100_000, 'bar bars'),
  unit('psi', 'pounds an inch', 1, 'psi'),
  unit('cm2', 'area', 1, 'cm2'),
  unit('m2', 'area', 10_000, 'm2 sqm qm'),
  unit('ha', 'area', 100_000_000, 'ha hectare hectares'),
  unit('km2', 'area', 10_000_000_000, 'km2 sqkm'),
  unit('sqft', 'imperial area', 1, 'sqft ft2'),
  unit('acre', 'acres', 1, 'acre acres'),
  unit('m3', 'volume', 1_000_000, 'm3 cbm'),
  unit('cl', 'volume', 10, 'cl centiliter centiliters centilitre centilitres'),
  unit('dl', 'volume', 100, 'dl deciliter deciliters decilitre decilitres'),
  unit('kelvin', 'kelvin', 1, 'k kelvin kelvins'),
  unit('mps', 'speed', 18, 'm/s mps'),
  unit('pt', 'points', 1, 'pt'),
  unit('db', 'decibels', 1, 'db decibel decibels'),
  unit('lm', 'lumens', 1, 'lm lumen lumens'),
]

function unit(name: string, dimension: string, steps: number, words: string): Unit {
  return { name, dimension, steps, words: words.split(' ') }
}
