import { maxRemoteImageBytes } from "@leadloom/core/internal/domain/email/RemoteImage"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, keyErrors, NotFound, RateLimited, ServiceUnavailable } from "../errors.ts"
import { IdempotencyKey, TenantPath } from "../schema/Field.ts"
import { contactId, messageId } from "../schema/Ids.ts"

export const RemoteImage = Schema.Struct({
  url: Schema.String.annotate({ description: "The address in `data-remote-src` of the message's `html_body`" }),
  proxy_url: Schema.NullOr(Schema.String).annotate({
    description: "The address of the image on this server, valid for 15 minutes; null: the sender is not allowed"
  })
}).annotate({ identifier: "RemoteImage", description: "A remote image of a mail" })

const ContactPath = { ...TenantPath, contact_id: contactId }

const Allowed = Schema.Struct({
  allowed: Schema.Boolean.annotate({ description: "Whether remote images of the contact are shown" })
}).annotate({ identifier: "RemoteImagesAllowed", description: "The setting for the remote images of a contact" })

export const RemoteImagesGroup = HttpApiGroup.make("remoteImages")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/messages/:message_id/images", {
      params: { ...TenantPath, message_id: messageId },
      query: {
        show: Schema.optionalKey(Schema.Literal("once")).annotate({
          description: "`once`: returns links although the sender is not allowed"
        })
      },
      success: Schema.Struct({
        ...Allowed.fields,
        images: Schema.Array(RemoteImage).annotate({ description: "The remote images in the order of the mail" })
      }).annotate({ identifier: "RemoteImages", description: "The remote images of a mail" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the remote images of a mail with links to the image proxy")
      .annotate(
        OpenApi.Description,
        "A browser that loads a remote image tells its sender that and where the mail was read. The proxy requests the image from the server's address, without cookies and referrer."
      )
      .annotate(Gate, gate("remoteImages.list", { limiter: "admin", email: true })),
    HttpApiEndpoint.post("allow", "/tenants/:tenant_id/contacts/:contact_id/remote-images", {
      params: ContactPath,
      headers: IdempotencyKey,
      success: Allowed,
      error: [NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Show the remote images in the mails of a contact")
      .annotate(Gate, gate("remoteImages.allow", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.delete("disallow", "/tenants/:tenant_id/contacts/:contact_id/remote-images", {
      params: ContactPath,
      success: Allowed,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Hide the remote images in the mails of a contact again")
      .annotate(Gate, gate("remoteImages.disallow", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Remote images", description: "Images that mails load from the web" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

export const ImageProxyGroup = HttpApiGroup.make("imageProxy")
  .add(
    HttpApiEndpoint.get("image", "/public/images/:token", {
      params: { token: Schema.String.annotate({ description: "The signed token in the `proxy_url` of an image" }) },
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" })),
      error: [NotFound, RateLimited, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "Load a remote image by its `proxy_url`; needs no credential")
      .annotate(
        OpenApi.Description,
        `The token is signed and expires after 15 minutes. Only PNG, JPEG, GIF, WebP and AVIF up to ${maxRemoteImageBytes} bytes are returned. Requests to internal networks are refused.`
      )
      .annotate(Gate, gate("imageProxy.image", { limiter: "none" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Image proxy", description: "Remote images of mails" }))
  .middleware(RequestValidation)
  .prefix("/api/v1")
