import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'

/** Creates self-signed certificates (X.509 in DER), because Node can't create any and private keys don't belong in a repository. */

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? Buffer.from([body.length]) : Buffer.from([0x82, body.length >> 8, body.length & 255])
  return Buffer.concat([Buffer.from([tag]), length, body])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const text = (value: string) => der(0x0c, Buffer.from(value))
const time = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const commonName = '550403'
const alternativeNames = '551d11'
const basicConstraints = '551d13'

export type Certificate = { readonly cert: string; readonly key: string }

/** Creates a certificate for these host names, valid until 2120. */
export function certificateFor(...names: string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  const name = sequence(der(0x31, sequence(oid(commonName), text('Of the tests'))))
  const hosts = sequence(...names.map((host) => der(0x82, Buffer.from(host))))
  const extensions = sequence(
    sequence(oid(alternativeNames), der(0x04, hosts)),
    sequence(oid(basicConstraints), der(0x01, Buffer.from([255])), der(0x04, sequence(der(0x01, Buffer.from([255]))))),
  )
  const facts = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(2020), time(2120)),
    name,
    publicKey,
    der(0xa3, extensions),
  )
  const signature = sign('sha256', facts, createPrivateKey(privateKey))
  const whole = sequence(facts, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const cert = `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`
  return { cert, key: privateKey }
}
