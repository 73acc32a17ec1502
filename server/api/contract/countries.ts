/** ISO 3166-1 alpha-2 codes of countries and territories that Stripe accepts in an address. */
const codes =
  'AD AE AF AG AI AL AM AO AR AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CD CF CG CH CI CK CL CM CN CO CR CV CW CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FK FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IS IT JE JM JO JP KE KG KH KI KM KN KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PY QA RE RO RS RW SA SB SC SE SG SH SI SK SL SM SN SO SR SS ST SV SX SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  )

const names = new Intl.DisplayNames('en-GB', { type: 'region' })

/** Returns true for a country code that an address can have. */
export const isCountry = (code: string): boolean => codes.includes(code)

/** Returns the English name of a country. */
export const getCountryName = (code: string): string => names.of(code) ?? code

/** Returns the codes and names of all countries, by name. */
export const listCountries = () =>
  codes.map((value) => ({ value, label: getCountryName(value) })).sort((one, other) => one.label.localeCompare(other.label, 'en-GB'))
