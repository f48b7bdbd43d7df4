import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose"

/** A key pair of the issuer. */
export interface IssuerKey {
  readonly jwk: JWK
  /** Signs a token. Undefined claims are omitted. */
  readonly sign: (claims: Readonly<Record<string, unknown>>, kid?: string) => Promise<string>
}

export const makeKey = async (alg: string, kid: string): Promise<IssuerKey> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return {
    jwk: { ...(await exportJWK(publicKey)), alg, kid, use: "sig" },
    sign: (claims, named = kid) => new SignJWT({ ...claims }).setProtectedHeader({ alg, kid: named }).sign(privateKey)
  }
}

/** A scripted server for the discovery document and `/keys`. */
export interface KeyServer {
  readonly url: string
  /** The requested paths. */
  readonly requested: Array<string>
  /** The responses. A string is sent unchanged; null sends no response. */
  readonly says: { document: unknown; keys: unknown; status: number; headers: Record<string, string> }
  readonly close: () => Promise<void>
}

/** Starts a web server in place of an issuer. */
export const startKeyServer = async (...keys: ReadonlyArray<IssuerKey>): Promise<KeyServer> => {
  const requestedPaths: Array<string> = []
  const says: KeyServer["says"] = { document: {}, keys: { keys: keys.map(({ jwk }) => jwk) }, status: 200, headers: {} }
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? "")
    const body = request.url === "/keys" ? says.keys : says.document
    if (body === null) return
    response.writeHead(says.status, says.headers)
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  says.document = { issuer: url, jwks_uri: `${url}/keys` }
  return {
    url,
    requested: requestedPaths,
    says,
    close: async () => {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}
