import { Api } from "@leadloom/api/internal/Api"
import { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import { linkToken, readLinkToken } from "@leadloom/core/internal/domain/email/AttachmentLink"
import { RemoteImageNotFound } from "@leadloom/core/internal/domain/email/RemoteImage"
import {
  allowRemoteImages,
  fetchRemoteImage,
  readRemoteImages
} from "@leadloom/core/internal/workflow/conversation/RemoteImages"
import { Clock, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { countBad } from "../../middleware/Authorization.ts"

/** Endpoints that list the remote images of a mail and allow those of a sender. */
export const layer = HttpApiBuilder.group(Api, "remoteImages", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const { isAllowed, message, urls } = yield* answer(readRemoteImages(params.tenant_id, params.message_id))
      const { messageId, tenantId } = message
      const { pepper } = yield* Secrets
      const now = yield* Clock.currentTimeMillis
      const linkTo = (index: number) =>
        `/api/v1/public/images/${linkToken("image", { tenantId, messageId, index }, pepper, now)}`
      const isShown = isAllowed || query.show === "once"
      const images = urls.map((url, index) => ({ url, proxy_url: isShown ? linkTo(index) : null }))
      return { allowed: isAllowed, images }
    }),
    allow: Effect.fnUntraced(function* ({ params }) {
      yield* answer(allowRemoteImages(params.tenant_id, params.contact_id, true))
      return { allowed: true }
    }),
    disallow: Effect.fnUntraced(function* ({ params }) {
      yield* answer(allowRemoteImages(params.tenant_id, params.contact_id, false))
      return { allowed: false }
    })
  })
)

const find = Effect.fnUntraced(function* (token: string) {
  const claim = readLinkToken("image", token, (yield* Secrets).pepper, yield* Clock.currentTimeMillis)
  return claim ?? (yield* Effect.andThen(countBad(), answer(new RemoteImageNotFound({ reason: null }))))
})

/** The endpoint that returns a remote image to anyone with its link. An invalid link counts as an invalid credential. */
export const proxyLayer = HttpApiBuilder.group(Api, "imageProxy", (handlers) =>
  handlers.handleAll({
    image: Effect.fnUntraced(function* ({ params }) {
      const { bytes, mediaType } = yield* answer(fetchRemoteImage(yield* find(params.token)))
      return HttpServerResponse.uint8Array(bytes, {
        contentType: mediaType,
        headers: {
          "cache-control": "private, max-age=900",
          "content-disposition": "inline",
          "content-security-policy": "sandbox; default-src 'none'",
          "cross-origin-resource-policy": "cross-origin",
          "referrer-policy": "no-referrer",
          "x-content-type-options": "nosniff"
        }
      })
    })
  })
)
