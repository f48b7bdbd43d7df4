import { startProcess, temporaryFolder } from "../test/ServerProcess.ts"
import { adminKey, textAt } from "../test/TestServer.ts"
import pg from "pg"
const n = Number(process.argv[2] ?? 1), tenants = Number(process.argv[3] ?? 10), secs = Number(process.argv[4] ?? 6)
const folder = temporaryFolder()
const base = process.env["PGURL"]
let url = ""
if (base) { const c = new pg.Client(base); await c.connect(); const name = "load" + Date.now(); await c.query("CREATE DATABASE " + name); await c.end(); const u = new URL(base); u.pathname = "/" + name; url = u.href }
const servers = Array.from({ length: n }, (_, i) => startProcess({ LEADLOOM_DATA_DIR: `${folder.path}/${i}`, LEADLOOM_SECRET_KEY: "one-secret-for-all-three-servers", LEADLOOM_LIMIT_ADMIN: "1000000", ...(url ? { LEADLOOM_DATABASE_URL: url } : {}) }))
const urls = await Promise.all(servers.map((s) => s.url))
const call = async (u: string, path: string, as: string, body: unknown) => { const r = await fetch(u + path, { method: "POST", headers: { authorization: `Bearer ${as}`, "content-type": "application/json" }, body: JSON.stringify(body) }); return { status: r.status, json: await r.json() } }
const keys: string[] = []
for (let t = 0; t < tenants; t++) { await call(urls[0]!, "/api/v1/admin/tenants", adminKey, { tenant_id: "t" + t, name: "T" }); keys.push(textAt((await call(urls[0]!, `/api/v1/admin/tenants/t${t}/sources`, adminKey, { source_id: "form" })).json, "key")) }
let k = 0, ok = 0, stop = false; const lat: number[] = []
const worker = async (w: number) => { while (!stop) { const i = k++; const b = performance.now(); const r = await call(urls[w % n]!, `/api/v1/events/t${i % tenants}/form`, keys[i % tenants]!, { entity: { email: `c${i % 997}@x.example` }, content: { body: "Hello, I would like an offer for windows " + i, channel: "chat" } }); if (r.status === 200) { ok++; lat.push(performance.now() - b) } } }
const ws = Array.from({ length: 64 }, (_, w) => worker(w))
await new Promise((r) => setTimeout(r, 3000)); ok = 0; lat.length = 0; const b = performance.now()
await new Promise((r) => setTimeout(r, secs * 1000)); const rate = ok / (performance.now() - b) * 1000; stop = true; await Promise.all(ws)
lat.sort((a, c) => a - c)
console.log(JSON.stringify({ n, tenants, pg: !!base, perSecond: Math.round(rate), p50: Math.round(lat[lat.length >> 1]!), p99: Math.round(lat[Math.floor(lat.length * .99)]!) }))
for (const s of servers) s.kill("SIGKILL"); folder.remove(); process.exit(0)
