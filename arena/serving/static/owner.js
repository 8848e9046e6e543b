"use strict";
entering("/api/owner", () => ({ token: part("token").value.trim() }), () => { location.href = "/"; });
