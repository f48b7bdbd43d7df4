import { type Header, OAuth2Server, type Payload } from "oauth2-mock-server"

/** Claims to set; undefined takes one away. */
export type Changes = Readonly<Record<string, unknown>>

/** A running identity provider that nobody here wrote. */
export interface Issuer {
  readonly server: OAuth2Server
  readonly url: string
  /** What makes a server trust it. */
  readonly env: Readonly<Record<string, string>>
  /** A token of Ann's, who is agent of acme, with other claims and another header where the test says so. */
  readonly token: (claims?: Changes, header?: Changes) => Promise<string>
  /** It answers nobody any more; tokens that it has made, or would have made, are there all the same. */
  readonly stop: () => Promise<void>
}

export const audience = "leadloom-console"

const change = (target: Header | Payload, changes: Changes): void => {
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete target[name]
    else target[name] = value
  }
}

/** Starts an identity provider with one key on any free port. */
export const startIssuer = async (algorithm = "RS256"): Promise<Issuer> => {
  const server = new OAuth2Server()
  await server.issuer.keys.generate(algorithm)
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
    stop: async () => {
      if (!server.listening) return
      await server.stop()
      server.issuer.url = url
    }
  }
}
