import { generateKeyPairSync } from "node:crypto"
import { sealMessage } from "mailauth/lib/arc/index.js"
import { dkimSign } from "mailauth/lib/dkim/sign.js"

/** Mails with signatures and ARC seals, and the DNS records that verify them. */

/** A key pair of a signing domain. */
export interface SigningKey {
  readonly domain: string
  readonly selector: string
  /** In PEM. */
  readonly privateKey: string
  /** The TXT record with the public key. */
  readonly record: string
}

/** Creates a key for a domain. */
export const signingKey = (domain: string, selector = "s1"): SigningKey => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" }
  })
  return { domain, selector, privateKey, record: `v=DKIM1; k=rsa; p=${publicKey.toString("base64")}` }
}

/** Returns the name of the TXT record of a key. */
export const keyName = ({ domain, selector }: SigningKey): string => `${selector}._domainkey.${domain}`

/** Signs a mail with DKIM. `more` has further tags. */
export const signed = async (
  raw: string,
  key: SigningKey,
  more: { readonly maxBodyLength?: number } = {}
): Promise<string> => {
  const { domain: signingDomain, privateKey, selector } = key
  const signer = { signingDomain, selector, privateKey, ...more }
  // The library reads `signatureData`; its types also demand the fields of a single signature.
  const options = { canonicalization: "relaxed/relaxed", ...signer, signatureData: [signer] }
  const { signatures } = await dkimSign(Buffer.from(raw), options)
  return signatures + raw
}

/** Adds an ARC set with the results that the sealing server saw. */
export const sealed = async (
  raw: string,
  key: SigningKey,
  results: string,
  cv: "none" | "pass" = "none"
): Promise<string> => {
  const seal = await sealMessage(Buffer.from(raw), {
    signingDomain: key.domain,
    selector: key.selector,
    privateKey: key.privateKey,
    authResults: results,
    cv
  })
  return seal.toString() + raw
}

/** DNS records by type and name, for example `TXT _dmarc.acme.com`. */
export type DnsZone = Readonly<Record<string, ReadonlyArray<string> | ReadonlyArray<ReadonlyArray<string>>>>

/** Returns the zone with the public keys. */
export const keyZone = (...keys: ReadonlyArray<SigningKey>): DnsZone =>
  Object.fromEntries(keys.map((key) => [`TXT ${keyName(key)}`, [[key.record]]]))
