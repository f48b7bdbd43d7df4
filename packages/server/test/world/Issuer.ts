import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto"
import { SignJWT } from "jose"
import { type Header, type JWK, OAuth2Server, type Payload } from "oauth2-mock-server"

/** Claims or headers to set; undefined removes one. */
export type Changes = Readonly<Record<string, unknown>>

/** A running third-party identity provider. */
export interface Issuer {
  readonly server: OAuth2Server
  readonly url: string
  /** The variables that make a server trust it. */
  readonly env: Readonly<Record<string, string>>
  /** Returns a token of Ann, an agent of acme, with the given changes of claims and header. */
  readonly token: (claims?: Changes, header?: Changes) => Promise<string>
  /** Returns its first key, including the private part. */
  readonly key: () => JWK
  /** Returns the header of tokens with its first key, as text. */
  readonly header: (changes?: Changes) => string
  /** Returns the claims of Ann's token. */
  readonly claims: (changes?: Changes) => Readonly<Record<string, unknown>>
  /** Signs any header and payload with its first key. */
  readonly signed: (header: string, payload: string, hash?: string) => string
  /** Returns a token with valid claims and changes, signed by another key. */
  readonly forged: (header?: Changes, claims?: Changes) => Promise<string>
  /** Stops its server; tokens can still be created. */
  readonly stop: () => Promise<void>
}

export const audience = "leadloom-console"

/** Seconds since the epoch. */
export const now = (): number => Math.floor(Date.now() / 1_000)

/** Encodes a segment of a token. */
export const base64 = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")

const change = (target: Header | Payload, changes: Changes): void => {
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete target[name]
    else target[name] = value
  }
}

const claimsFor = (iss: string): Readonly<Record<string, unknown>> => ({
  iss,
  aud: audience,
  sub: "ann",
  iat: now(),
  exp: now() + 3_600,
  role: "agent",
  tenants: ["acme"]
})

/** Returns functions that sign with the keys of an issuer. */
const signing = (
  server: OAuth2Server,
  url: string
): Pick<Issuer, "key" | "header" | "claims" | "signed" | "forged"> => {
  const key = () => {
    const [first] = server.issuer.keys.toJSON(true)
    if (first === undefined) throw new Error("the issuer has no key")
    return first
  }
  const claims = (changes: Changes = {}) => ({ ...claimsFor(url), ...changes })
  return {
    key,
    claims,
    header: (changes = {}) => JSON.stringify({ alg: "RS256", kid: key().kid, ...changes }),
    signed: (header, payload, hash = "sha256") => {
      const input = `${base64(header)}.${base64(payload)}`
      const signature = sign(hash, Buffer.from(input), createPrivateKey({ key: key(), format: "jwk" }))
      return `${input}.${signature.toString("base64url")}`
    },
    forged: (header = {}, more = {}) =>
      new SignJWT(claims({ role: "superuser", ...more }))
        .setProtectedHeader({ alg: "RS256", kid: key().kid, ...header })
        .sign(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey)
  }
}

/** Starts an identity provider with one key on a free port. */
export const startIssuer = async (): Promise<Issuer> => {
  const server = new OAuth2Server()
  await server.issuer.keys.generate("RS256")
  await server.start(0, "127.0.0.1")
  const url = server.issuer.url ?? ""
  return {
    server,
    url,
    env: { LEADLOOM_OIDC_ISSUER: url, LEADLOOM_OIDC_AUDIENCE: audience },
    token: (claims = {}, header = {}) =>
      server.issuer.buildToken({
        scopesOrTransform: (head, payload) => {
          change(payload, { sub: "ann", aud: audience, role: "agent", tenants: ["acme"], ...claims })
          change(head, header)
        }
      }),
    ...signing(server, url),
    stop: async () => {
      if (!server.listening) return
      await server.stop()
      server.issuer.url = url
    }
  }
}
