import { describe, expect, test } from 'vitest'
import { boeBankRate, boeQuotedRates, readIadb } from '#server/market/sources/boe-iadb.ts'
import { currencyApi } from '#server/market/sources/currency-api.ts'
import { ecbKeyRates } from '#server/market/sources/ecb-key-rates.ts'
import { ecbFxDaily, ecbFxHistory } from '#server/market/sources/eurofxref.ts'
import { onsCpi, onsCpih } from '#server/market/sources/ons-series.ts'
import { type Source, SourceError } from '#server/market/sources/source.ts'
import { cutOff, getValues, type SampleName, sample, sorted, turnedRound, webPage } from './samples.ts'

const deposit = 'FM.D.U2.EUR.4F.KR.DFR.LEV'

/** Adapters for files whose line order doesn't matter, with a sample file and its number of header lines. */
const files: readonly (readonly [Source, SampleName, number])[] = [
  [boeBankRate, 'boe-iadb-IUDBEDR.csv', 1],
  [boeQuotedRates, 'boe-iadb-IUMWTFA.csv', 1],
  [ecbKeyRates, 'ecb-dfr.csv', 1],
  [ecbFxHistory, 'eurofxref-hist.csv', 1],
  [onsCpi, 'ons-d7g7-mm23.csv', 0],
]

const others: readonly (readonly [Source, SampleName])[] = [
  [ecbFxDaily, 'eurofxref-daily.xml'],
  [onsCpi, 'ons-d7g7-mm23.data.json'],
  [currencyApi, 'npm-currency-api-gbp.json'],
]

describe.each([...files.map(([source, name]) => [source, name] as const), ...others])('$0.name, $1', (source, name) => {
  test('rejects a file truncated at any position', () => {
    for (const cut of cutOff(sample(name))) expect(() => source.parse(cut), cut.slice(-30)).toThrow(SourceError)
  })

  test('rejects an HTML page', () => {
    expect(() => source.parse(webPage)).toThrow(SourceError)
  })

  test('returns valid dates and plain decimals', () => {
    const { observations } = source.parse(sample(name))
    expect(observations.length).toBeGreaterThan(5)
    for (const { date, value } of observations) {
      expect(date).toMatch(/^20\d\d-\d\d-\d\d$/)
      expect(value).toMatch(/^\d+(\.\d*[1-9])?$/)
    }
  })
})

test.each(files)('reads the lines for $0.name in any order', (source, name, head) => {
  const text = sample(name)
  expect(sorted(source.parse(turnedRound(text, head)))).toEqual(sorted(source.parse(text)))
})

describe('Bank of England', () => {
  test('reads Bank Rate without trailing zeros or weekend rows', () => {
    const values = getValues(boeBankRate.parse(sample('boe-iadb-IUDBEDR.csv')), 'IUDBEDR')
    expect(values).toHaveLength(17)
    expect(values.slice(2, 5)).toEqual(['2025-12-17 4', '2025-12-18 3.75', '2025-12-19 3.75'])
    expect(values.at(-1)).toBe('2026-01-09 3.75')
  })

  test('dates quoted rates by the last day of the month', () => {
    const values = getValues(boeQuotedRates.parse(sample('boe-iadb-IUMWTFA.csv')), 'IUMWTFA')
    expect(values).toHaveLength(32)
    expect([values[0], values[1], values[28], values[31]]).toEqual(['2024-01-31 4.62', '2024-02-29 4.48', '2026-05-31 4', '2026-08-31 4.04'])
  })

  const wide = 'DATE,IUMB6VK,IUMWTFA,XUDLUSS\r\n31 Jul 2026,1.94,3.98,1.34\r\n31 Aug 2026,..,4.04,1.35\r\n30 Sep 2026,1.9,..,\r\n'
  const long =
    'DATE,SERIES,VALUE\r\n31 Jul 2026,IUMB6VK,1.94\r\n30 Sep 2026,IUMB6VK,1.9\r\n31 Jul 2026,IUMWTFA,3.98\r\n31 Aug 2026,IUMWTFA,4.04\r\n31 Aug 2026,IUMB6VK,..\r\n'

  test('skips missing values and other series, in both layouts', () => {
    const read = boeQuotedRates.parse(wide)
    expect(getValues(read, 'IUMB6VK')).toEqual(['2026-07-31 1.94', '2026-09-30 1.9'])
    expect(getValues(read, 'IUMWTFA')).toEqual(['2026-07-31 3.98', '2026-08-31 4.04'])
    expect(read.observations).toHaveLength(4)
    expect(sorted(boeQuotedRates.parse(long))).toEqual(sorted(read))
  })

  test('finds columns by name', () => {
    expect(readIadb('IUDBEDR,DATE\r\n3.75,18 Dec 2025\r\n', ['IUDBEDR']).observations).toEqual([{ series: 'IUDBEDR', date: '2025-12-18', value: '3.75' }])
  })

  test.each([
    ['DATE,IUDBEDR\r\n18 Dec 25,3.75\r\n', 'Line 2: "18 Dec 25" is not a date like 18 Dec 2025.'],
    ['DATE,IUDBEDR\r\n31 Feb 2025,3.75\r\n', 'Line 2: "31 Feb 2025" is not a date'],
    ['DATE,IUDBEDR\r\n18 Dec 2025,n/a\r\n', 'Line 2: "n/a" is not a number.'],
    ['DATE,IUDBEDR\r\n18 Dec 2025\r\n', 'Line 2 has 1 cells, expected 2.'],
    ['DATE,IUDBEDR\r\n18 Dec 2025,3.7', 'The file is truncated at line 2.'],
    ['Title,Value\r\n18 Dec 2025,3.75\r\n', 'The file has no column DATE; its first line is "Title, Value".'],
    ['\r\n', 'The file is empty.'],
  ])('rejects %j', (text, message) => {
    expect(() => boeBankRate.parse(text)).toThrow(message)
  })
})

describe('European Central Bank', () => {
  test('reads key rates by column name', () => {
    expect(getValues(ecbKeyRates.parse(sample('ecb-dfr.csv')), deposit)).toEqual([
      '2025-06-10 2.25',
      '2025-06-11 2',
      '2026-06-16 2',
      '2026-06-17 2.25',
      '2026-09-15 2.25',
      '2026-09-16 2.5',
    ])
    const turned =
      'OBS_STATUS,OBS_VALUE,TITLE,TIME_PERIOD,KEY\nA,-0.10,"Deposit facility, level",2014-06-11,FM.D.U2.EUR.4F.KR.DFR.LEV\nA,,x,2014-06-12,FM.D.U2.EUR.4F.KR.DFR.LEV\nA,1,x,2014-06-12,FM.B.OTHER\n'
    expect(ecbKeyRates.parse(turned).observations).toEqual([{ series: deposit, date: '2014-06-11', value: '-0.1' }])
    expect(() => ecbKeyRates.parse('KEY,TIME_PERIOD\nx,2026-01-01\n')).toThrow('no column OBS_VALUE')
  })

  test('computes exact pound rates from the euro reference rates', () => {
    const daily = ecbFxDaily.parse(sample('eurofxref-daily.xml'))
    // These are 1 / 0.8695 and 1.1618 / 0.8695.
    expect(getValues(daily, 'EUR')).toEqual(['2026-03-05 1.150086'])
    expect(getValues(daily, 'USD')).toEqual(['2026-03-05 1.33617'])
    expect(getValues(daily, 'GBP')).toEqual([])
    expect(getValues(daily, 'IDR')).toEqual(['2026-03-05 22593.1'])
    expect(daily.observations).toHaveLength(29)
  })

  test('reads the same day from the CSV history, without discontinued currencies', () => {
    const history = ecbFxHistory.parse(sample('eurofxref-hist.csv'))
    const [daily, sameDay] = [
      ecbFxDaily.parse(sample('eurofxref-daily.xml')),
      { observations: history.observations.filter(({ date }) => date === '2026-03-05') },
    ]
    expect(sorted(sameDay)).toEqual(sorted(daily))
    expect(getValues(history, 'EUR').map((text) => text.slice(0, 10))).toEqual([
      '2026-03-05',
      '2026-03-04',
      '2026-03-03',
      '2026-03-02',
      '2026-02-27',
      '2026-01-02',
      '2025-12-31',
    ])
    expect(getValues(history, 'BGN')).toEqual([])
    expect(getValues(history, 'RUB')).toEqual([])
  })

  test('reads several days from one XML file, with single- or double-quoted attributes', () => {
    const text = `<?xml version="1.0"?><gesmes:Envelope xmlns:gesmes="x"><Cube><Cube time="2026-03-05"><Cube currency="GBP" rate="0.5"/></Cube><Cube time='2026-03-04'><Cube rate='0.8' currency='GBP'/><Cube currency='USD' rate='1.2'/></Cube></Cube></gesmes:Envelope>`
    expect(ecbFxDaily.parse(text).observations).toEqual([
      { series: 'EUR', date: '2026-03-05', value: '2' },
      { series: 'EUR', date: '2026-03-04', value: '1.25' },
      { series: 'USD', date: '2026-03-04', value: '1.5' },
    ])
  })

  test.each([
    ['Date,USD,GBP,\n2026-03-05,1.16,N/A,\n', 'No GBP rate found'],
    ['Date,USD,\n2026-03-05,1.16,\n', 'no column GBP'],
    ['Date,USD,GBP,\n05/03/2026,1.16,0.87,\n', '"05/03/2026" is not a date'],
    ['Date,USD,GBP,\n2026-03-05,-1,0.87,\n', 'Invalid rate for USD on 2026-03-05: "-1".'],
    ['Date,USD,GBP,\n2026-03-05,1.16\n', 'Line 2 has 2 cells, expected 4.'],
  ])('rejects %j', (text, message) => {
    expect(() => ecbFxHistory.parse(text)).toThrow(message)
  })
})

describe('Office for National Statistics', () => {
  test('reads the release dates and only the monthly values from a CSV file', () => {
    const read = onsCpi.parse(sample('ons-d7g7-mm23.csv'))
    const values = getValues(read, 'D7G7')
    expect(values).toHaveLength(32)
    expect([values[0], values[1], values.at(-1)]).toEqual(['2024-01-31 4', '2024-02-29 3.4', '2026-08-31 3.1'])
    expect(read).toMatchObject({ releasedOn: '2026-09-16', nextReleaseOn: '2026-10-21' })
  })

  test('reads the same months from JSON, with London release dates', () => {
    const read = onsCpi.parse(sample('ons-d7g7-mm23.data.json'))
    expect(getValues(read, 'D7G7')).toEqual(getValues(onsCpi.parse(sample('ons-d7g7-mm23.csv')), 'D7G7').filter((text) => text.startsWith('2026')))
    // The release date in the file is 2026-09-15T23:00:00.000Z, which is 16 September in London.
    expect(read).toMatchObject({ releasedOn: '2026-09-16', nextReleaseOn: '2026-10-21' })
  })

  test('ignores quarters and empty values, and returns null for an unannounced release date', () => {
    const text = '"CDID","D7G7"\n"Next release","To be announced"\n"2024 Q1","3.5"\n"2024 JAN",""\n"2024 FEB","-0.1"\n'
    expect(onsCpi.parse(text)).toEqual({ observations: [{ series: 'D7G7', date: '2024-02-29', value: '-0.1' }], releasedOn: null, nextReleaseOn: null })
  })

  test('rejects a malformed file or one with the wrong series, in both formats', () => {
    expect(() => onsCpih.parse(sample('ons-d7g7-mm23.csv'))).toThrow(
      'The file contains the series D7G7, expected L55O. Set the URL of the correct time series in MARKET_SOURCES.',
    )
    expect(() => onsCpih.parse(sample('ons-d7g7-mm23.data.json'))).toThrow('The file contains the series D7G7, expected L55O.')
    expect(() => onsCpi.parse('"2024 JAN","4.0"\n')).toThrow('has no series identifier')
    expect(() => onsCpi.parse('{"months":[{"date":"2026 JAN","value":3.0}]}')).toThrow('is not of the form')
    expect(() => onsCpi.parse('"CDID","D7G7"\n"2024 JAM","4.0"\n')).toThrow('"2024 JAM" is not a month like 2026 AUG.')
  })
})

describe('currency-api', () => {
  const text = sample('npm-currency-api-gbp.json')

  test('keeps the exact digits, and ignores unknown currencies', () => {
    const read = currencyApi.parse(text)
    expect(getValues(read, 'USD')).toEqual(['2026-09-29 1.32382204'])
    expect(getValues(read, 'IDR')).toEqual(['2026-09-29 23850.43205698'])
    expect(getValues(read, 'SEK')).toEqual(['2026-09-29 13.212392'])
    expect(read.observations).toHaveLength(41)
    const odd = text.replace('"eur": 1.16526242', '"btc": 1.1e-7, "1inch": 7, "gbp": 1, "kwd": 4.0e-1, "eur": 1.165262420000000001')
    expect(getValues(currencyApi.parse(odd), 'EUR')).toEqual(['2026-09-29 1.165262420000000001'])
    expect(getValues(currencyApi.parse(odd), 'KWD')).toEqual(['2026-09-29 0.4'])
    expect(currencyApi.parse(odd).observations).toHaveLength(42)
  })

  test.each([
    ['{"date":"2026-09-29","eur":{"usd":1.1}}', 'It may be for another base currency'],
    ['{"date":"29.9.2026","gbp":{}}', '"29.9.2026" is not a date'],
    ['{"date":"2026-09-29","gbp":{"usd":1.3,"eur":1.1}}', 'has rates for 2 known currencies, fewer than 20'],
    [text.replace('1.32382204', '0'), 'Invalid rate for USD: "0".'],
    [text.replace('1.32382204', 'true'), 'Invalid rate for USD: true.'],
    [text.slice(0, -3), 'The response is not valid JSON or was truncated.'],
  ])('rejects %.60s', (given, message) => {
    expect(() => currencyApi.parse(given)).toThrow(message)
  })
})
