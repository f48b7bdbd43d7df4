/** A self-signed certificate for localhost and 127.0.0.1, valid for a hundred years. For tests only. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUNdAaNvFR/wdrR8MSugrF3d/rCqQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA3MjkzMloYDzIxMjYxMDI4
MDcyOTMyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQKhiWrMRECGefELemWCOxYZSuy/FvG/cTvGMo6GB6fBXCpVM8l8a3v
wyf5gJIvhJHDroM+jEcG07S5/NcsJZB7o28wbTAdBgNVHQ4EFgQUEai3QhsGh1AI
RnZO8izxIIJPYbMwHwYDVR0jBBgwFoAUEai3QhsGh1AIRnZO8izxIIJPYbMwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAKBdWXFBk5gDjG2VczC8JsXmHyLYfpsZO9rEFrbw55zmAiAr
cwjiDxy5GrC971gk/ZJimWbZg1vdr8Mw4Hxvs3b67Q==
-----END CERTIFICATE-----
`

/** The private key of the certificate. It is not secret. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgc5iPw90A/Rae6Y5d
ikRvMzy+n/QDvvXic+dLpX9tCFWhRANCAAQKhiWrMRECGefELemWCOxYZSuy/FvG
/cTvGMo6GB6fBXCpVM8l8a3vwyf5gJIvhJHDroM+jEcG07S5/NcsJZB7
-----END PRIVATE KEY-----
`
