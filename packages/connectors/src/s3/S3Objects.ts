import { createHash } from "node:crypto"
import { objectPath, Objects, ObjectsUnavailable } from "@leadloom/core/port/system/Objects"
import { AwsClient } from "aws4fetch"
import { Effect, Layer } from "effect"

/** Where a bucket is, and who may use it. The bucket has to be there. */
export interface S3Options {
  /** URL of the service; the bucket is the first segment behind it ("path style"). */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** How long one operation may take, milliseconds. Default: 30 s. */
  readonly timeoutMillis?: number
}

const defaultTimeoutMillis = 30_000
/** Attempts after the first one, at 5xx and 429 (S3 says `SlowDown`). */
const retries = 2

/** The code of S3's error answer, for example `AccessDenied`: the rest of it may hold what is nobody's business. */
const errorCode = (body: string): string => /<Code>(\w{1,64})<\/Code>/u.exec(body)?.[1] ?? "no code"

const systemCode = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "unknown"
  if (cause.name === "TimeoutError") return "it took too long"
  const inner = cause.cause
  return inner instanceof Error && "code" in inner ? String(inner.code) : cause.name
}

interface Answer {
  readonly status: number
  readonly bytes: Uint8Array
}

type Method = "PUT" | "GET" | "DELETE"

const makeRequester = (options: S3Options) => {
  const { accessKeyId, bucket, endpoint, region, secretAccessKey } = options
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries })
  const base = `${endpoint.replace(/(?<!\/)\/+$/u, "")}/${encodeURIComponent(bucket)}`
  return async (method: Method, path: string, body: Uint8Array | null): Promise<Answer> => {
    const digest = createHash("sha256")
      .update(body ?? "")
      .digest("hex")
    const response = await client.fetch(`${base}/${path}`, {
      method,
      // What arrives is checked against it, also where nothing else protects it on the way.
      headers: { "x-amz-content-sha256": digest },
      redirect: "manual",
      signal: AbortSignal.timeout(options.timeoutMillis ?? defaultTimeoutMillis),
      ...(body === null ? {} : { body: Buffer.from(body) })
    })
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
}

const refused = (method: Method, { bytes, status }: Answer): ObjectsUnavailable =>
  new ObjectsUnavailable({
    reason: `S3 answered ${method} with ${status} (${errorCode(Buffer.from(bytes).toString("latin1", 0, 4_096))})`
  })

/** A bucket that is not there is answered like an object that is not there, but for the code. */
const isAbsent = ({ bytes, status }: Answer): boolean =>
  status === 404 && errorCode(Buffer.from(bytes).toString("latin1", 0, 4_096)) !== "NoSuchBucket"

/** Objects in a bucket of S3 or of what speaks like it. */
export const layer = (options: S3Options): Layer.Layer<Objects> =>
  Layer.sync(Objects, () => {
    const send = makeRequester(options)
    const sendRequest = (method: Method, path: string, body: Uint8Array | null = null) =>
      Effect.tryPromise({
        try: () => send(method, path, body),
        catch: (cause) => new ObjectsUnavailable({ reason: `S3 does not answer ${method}: ${systemCode(cause)}` })
      }).pipe(
        Effect.flatMap((answer) => {
          if (answer.status >= 200 && answer.status < 300) return Effect.succeed(answer.bytes)
          return method !== "PUT" && isAbsent(answer) ? Effect.succeed(null) : Effect.fail(refused(method, answer))
        })
      )
    return Objects.of({
      put: (tenantId, key, bytes) => Effect.asVoid(sendRequest("PUT", objectPath(tenantId, key), bytes)),
      get: (tenantId, key) => sendRequest("GET", objectPath(tenantId, key)),
      remove: (tenantId, key) => Effect.asVoid(sendRequest("DELETE", objectPath(tenantId, key)))
    })
  })
