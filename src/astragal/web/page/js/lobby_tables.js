// The campaigns that this device has a seat in, the latest first.

const KEY = "astragal:seats";

export function seatsHere() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** Put a campaign first. */
export function remember(seat) {
  const others = seatsHere().filter((each) => each.campaign !== seat.campaign);
  localStorage.setItem(KEY, JSON.stringify([seat, ...others].slice(0, 40)));
}

export function forget(campaign) {
  localStorage.setItem(KEY, JSON.stringify(seatsHere().filter((each) => each.campaign !== campaign)));
}
