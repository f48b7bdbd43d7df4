import { createHmac } from "node:crypto"
import { createServer } from "node:http"

/** The requests and responses of a stand-in of Twilio. */
export interface TwilioStandIn {
  readonly url: string
  readonly token: string
  readonly env: Readonly<Record<string, string>>
  /** Requests such as `POST Calls.json To=…`, in order. */
  readonly requests: Array<{ readonly method: string; readonly path: string; readonly form: URLSearchParams }>
  /** The next responses, in order. Without one, every request succeeds. */
  readonly next: Array<{ readonly status: number; readonly body: string | Uint8Array; readonly type?: string }>
  readonly close: () => void
}

const accountSid = `AC${"0".repeat(32)}`

/** URL at which Twilio reaches the tested server. */
export const publicUrl = "https://leads.example.com"

/** Starts a server that answers as Twilio does for the credentials of the account. */
export const startTwilio = async (): Promise<TwilioStandIn> => {
  const token = "a-token-of-twilio"
  const requests: TwilioStandIn["requests"] = []
  const next: TwilioStandIn["next"] = []
  let calls = 0
  const server = createServer(async (request, response) => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of request) chunks.push(chunk)
    const [path = ""] = (request.url ?? "").split("?")
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    requests.push({ method: request.method ?? "", path: path.split("/").slice(4).join("/"), form })
    const sid = `CA${String(++calls).padStart(32, "0")}`
    const defaults = { status: 201, body: JSON.stringify({ sid, status: "queued" }), type: "application/json" }
    const { body, status, type = "application/json" } = next.shift() ?? defaults
    response.writeHead(status, { "content-type": type }).end(body)
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, "127.0.0.1", () => listening.resolve())
  await listening.promise
  const address = server.address()
  const url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : ""
  return {
    url,
    token,
    requests,
    next,
    env: {
      LEADLOOM_TWILIO_API_URL: url,
      LEADLOOM_TWILIO_ACCOUNT_SID: accountSid,
      LEADLOOM_TWILIO_AUTH_TOKEN: token,
      LEADLOOM_PUBLIC_URL: publicUrl
    },
    close: () => void server.close()
  }
}

/** Returns a form with Twilio's signature for a URL of the server. */
export const signedForm = (token: string, pathAndQuery: string, form: Readonly<Record<string, string>>) => {
  const names = Object.keys(form).toSorted()
  const text = `${publicUrl}${pathAndQuery}${names.map((name) => name + (form[name] ?? "")).join("")}`
  return {
    body: new URLSearchParams(form).toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": createHmac("sha1", token).update(text).digest("base64")
    }
  }
}
