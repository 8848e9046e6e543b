"use strict";
// Who votes is told why the leaderboard stays closed to them.
talk("GET", "/api/vote/state").then(({ told }) => {
  if (told && told.person) blind();
});
entering("/api/owner", () => ({ token: part("token").value.trim() }), () => { location.href = "/"; });
