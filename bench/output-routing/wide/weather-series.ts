import type { BenchOutput } from '../bench-output.ts'
import { all, number, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, inside, lowest, round, tally, times } from './shared.ts'

const START = Date.UTC(2026, 0, 5)

/** Hours of weather as lists beside each other. */
export function weatherSeries(seed: number): BenchOutput {
  const random = randomOf(seed)
  const hours = times(1100, (at) => ({
    time: new Date(START + at * 3_600_000).toISOString().slice(0, 16),
    temperature: round(4 + 7 * Math.sin(at / 24) + random.next() * 3, 1),
    wind: round(2 + random.next() * 9, 1),
    rain: random.chance(0.15) ? round(random.next() * 4, 1) : 0,
    code: random.pick([0, 1, 2, 3, 61]),
  }))
  const hot = inside(random, hours)
  hot.temperature = round(38 + random.next() * 3, 1)
  const storm = inside(random, hours)
  storm.wind = round(31 + random.next() * 9, 1)
  const thunder = inside(random, hours)
  thunder.code = 95
  const asked = inside(random, hours)
  const coldest = lowest(hours, (hour) => hour.temperature)
  const rain = round(sumOf(hours, (hour) => Math.round(hour.rain * 10)) / 10, 1)
  const codes = countBy(hours, (hour) => String(hour.code))
  const elevation = random.int(301, 1900)
  const station = coined(random, 3)
  return {
    name: 'weather series',
    task: 'Was the weather of the last weeks unusual?',
    value: {
      latitude: 47.1,
      longitude: 8.3,
      elevation,
      station,
      timezone: 'Europe/Zurich',
      hourly_units: { time: 'iso8601', temperature_2m: '°C', wind_speed: 'm/s', rain: 'mm' },
      hourly: {
        time: hours.map((hour) => hour.time),
        temperature_2m: hours.map((hour) => hour.temperature),
        wind_speed: hours.map((hour) => hour.wind),
        rain: hours.map((hour) => hour.rain),
        weather_code: hours.map((hour) => hour.code),
      },
    },
    questions: [
      question(
        'extreme',
        'What was the highest temperature, and when?',
        [[String(hot.temperature)], [hot.time]],
        [{ aggregate: { top: 'temperature_2m' } }],
      ),
      question('extreme', 'When did the wind blow hardest?', [[storm.time], [String(storm.wind)]], [{ aggregate: { top: 'wind_speed' } }]),
      question(
        'extreme',
        'What was the lowest temperature?',
        [
          [
            `min ${coldest.temperature}`,
            `"temperature_2m":${coldest.temperature}`,
            `${coldest.temperature} (`,
            `temperature_2m ${coldest.temperature}`,
          ],
        ],
        [{ aggregate: { min: 'temperature_2m' } }],
      ),
      question('needle', 'When was there a thunderstorm (code 95)?', all(thunder.time), [{ aggregate: { where: { weather_code: 95 } } }]),
      question(
        'needle',
        `What was the temperature at ${asked.time}?`,
        [[asked.time], [String(asked.temperature)]],
        [{ query: asked.time }, { aggregate: { where: { time: asked.time } } }],
      ),
      question('total', 'How much rain fell in all?', [number(rain)], [{ aggregate: { sum: 'rain' } }]),
      question(
        'group',
        'How many hours had the code 61?',
        [tally('61', codes['61'] ?? 0)],
        [{ aggregate: { where: { weather_code: 61 }, count: true } }],
      ),
      question(
        'total',
        'How many hours are there?',
        [[...tally('rows', hours.length), ...number(hours.length)]],
        [{ path: 'length(hourly.time)' }, { aggregate: { count: true } }],
      ),
      question(
        'needle',
        'How high is the station?',
        [[`elevation ${elevation}`, `elevation: ${elevation}`, `"elevation":${elevation}`, String(elevation)]],
        [{ path: 'elevation' }],
      ),
      question('needle', 'What is the station called?', all(station), [{ path: 'station' }]),
      question('needle', 'In which unit is the wind measured?', all('m/s'), [{ path: 'hourly_units' }]),
      question('extreme', 'What is the last hour of the series?', all(hours.at(-1)?.time ?? ''), [{ aggregate: { max: 'time' } }]),
      {
        ...question('absence', 'Did it snow (code 71)?', [], [{ aggregate: { where: { weather_code: 71 }, count: true } }]),
        ...absent(codes),
      },
    ],
  }
}
