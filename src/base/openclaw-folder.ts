/** The name of the folder in which OpenClaw keeps its state: a profile (`OPENCLAW_PROFILE`) has one of its own; one that is no name counts as none. */
export function openclawFolder(profile = ""): string {
  const isNamed = /^[a-z0-9][\w-]{0,63}$/iu.test(profile) && profile.toLowerCase() !== "default";
  return isNamed ? `.openclaw-${profile}` : ".openclaw";
}
