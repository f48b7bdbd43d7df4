/**
 * The backend of an app with an embedded inbox. It serves the page and mints session tokens, so that the key stays out
 * of the browser.
 *
 *     LEADLOOM_ADMIN_KEY=… LEADLOOM_TENANT=demo node examples/embedded-inbox/backend.ts
 */
import { readFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createClient } from "@leadloom/client"
import { build } from "esbuild"

const tenant = process.env["LEADLOOM_TENANT"] ?? "demo"
const baseUrl = process.env["LEADLOOM_URL"] ?? "http://127.0.0.1:4800"
const port = Number(process.env["PORT"] ?? 5173)
const operator = createClient({ baseUrl, credential: process.env["LEADLOOM_ADMIN_KEY"] })

/** The page may only run its own script and only call Leadloom. Text can never become HTML (Trusted Types). */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  `connect-src 'self' ${new URL(baseUrl).origin}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'"
].join("; ")

const source = (name: string): URL => new URL(name, import.meta.url)
const bundled = await build({
  entryPoints: [source("inbox.ts").pathname],
  bundle: true,
  format: "esm",
  minify: true,
  write: false,
  conditions: ["leadloom:source"]
})

const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
  "/": ["text/html", await readFile(source("inbox.html"), "utf8")],
  "/inbox.css": ["text/css", await readFile(source("inbox.css"), "utf8")],
  "/inbox.js": ["text/javascript", bundled.outputFiles[0]?.text ?? ""]
}

/**
 * Returns whether the request comes from a person who may answer this tenant's leads. Replace this function by the
 * session check of your app. Without one, only this computer reaches the backend.
 */
const isAgent = ({ headers }: IncomingMessage): boolean => headers["sec-fetch-site"] !== "cross-site"

const answer = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store"
  })
  response.end(body)
}

const mint = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (!isAgent(request)) return answer(response, 403, "text/plain", "You may not use this inbox.")
  const { token } = await operator.sessions.mint({ tenant_id: tenant })
  answer(response, 200, "application/json", JSON.stringify({ base_url: baseUrl, tenant_id: tenant, token }))
}

const server = createServer((request, response) => {
  const file = files[request.url ?? ""]
  if (request.method === "GET" && file !== undefined) return answer(response, 200, ...file)
  if (request.method !== "POST" || request.url !== "/session") return answer(response, 404, "text/plain", "Not found.")
  mint(request, response).catch((error: unknown) => {
    console.error(error)
    answer(response, 502, "text/plain", "Leadloom did not open a session.")
  })
})

server.listen(port, "127.0.0.1", () => {
  const address = server.address()
  const listening = typeof address === "object" && address !== null ? address.port : port
  console.log(`The inbox is at http://localhost:${listening}`)
})
