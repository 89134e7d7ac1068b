/** maven.apache.org/pom.html, Version Order Specification, and the Javadoc of ComparableVersion. */
export const maven = `
  1 < 1.1 < 1.2 < 1.10 < 2 < 10 < 10.0.1
  1 = 1.0 = 1.0.0 = 1.ga = 1.final = 1-ga = 1-0 = 1. = 1- = 1.0.0-0.0.0 = 1-final = 1.release
  1-alpha < 1-beta < 1-milestone < 1-rc < 1-snapshot < 1 < 1-sp < 1-abc < 1-xyz < 1-1 < 1.1
  1-rc = 1-cr < 1-SNAPSHOT = 1-snapshot < 1-FINAL = 1-Ga < 1-SP = 1-sp
  1-a1 = 1-alpha-1 < 1-b2 = 1-beta-2 < 1-m3 = 1-milestone-3 < 1-rc4
  1-foo2 < 1-foo10 < 1-1
  1.foo = 1-foo < 1-1 < 1.1
  1-sp-1 < 1-ga-1
  1-ga.1 < 1-sp.1
  1.0.0-foo.0.0 = 1-foo = 1.0-foo
  1.0.RC2 < 1.0-RC3 < 1.0.1
  1.0.0.X1 < 1.0.0-X2 < 1.0.1
  1.0-alpha-1 < 1.0-alpha-2 < 1.0-alpha-10 < 1.0-beta-1 < 1.0-rc1 < 1.0-rc2 < 1.0-SNAPSHOT < 1.0 < 1.0-1 < 1.0-2 < 1.0.1
  2.0-beta9 < 2.0-rc1 < 2.0 < 2.0.1 < 2.3.1 < 2.12.4 < 2.13.0 < 2.15.0 < 2.16.0 < 2.17.0 < 2.17.1
  1.0alpha1 = 1.0-alpha-1 < 1.0beta1 < 1.0
  5.3.17.RELEASE = 5.3.17 < 5.3.18
  4.1.9.Final = 4.1.9 < 4.1.10.Final < 4.1.100.Final
  31.0-android < 31.0-jre < 31.1-android < 31.1-jre < 32
  20040616 < 99999999999999999999 < 100000000000000000000
`;

/** PEP 440, its normalization and its Summary of permitted suffixes and relative ordering. */
export const pypi = `
  1.0.dev456 < 1.0a1 < 1.0a2.dev456 < 1.0a12.dev456 < 1.0a12 < 1.0b1.dev456 < 1.0b2 < 1.0b2.post345.dev456 < 1.0b2.post345
  1.0b2.post345 < 1.0rc1.dev456 < 1.0rc1 < 1.0 < 1.0+abc.5 < 1.0+abc.7 < 1.0+5 < 1.0.post456.dev34 < 1.0.post456 < 1.1.dev1
  0.9 < 0.9.1 < 0.9.2 < 0.9.10 < 0.9.11 < 1.0 = 1.0.0 < 1.0.1 < 1.1 < 2.0 < 2.0.1
  1.0a1 = 1.0.alpha1 = 1.0-alpha.1 = 1.0_ALPHA_1 = v1.0a1 = 1.0a01 < 1.0b1 = 1.0.beta1
  1.0b1 < 1.0rc1 = 1.0c1 = 1.0.preview1 = 1.0-pre1
  1.0a = 1.0a0 < 1.0a1 < 1.0
  1.0.post1 = 1.0-1 = 1.0.rev1 = 1.0-r1 = 1.0post1 < 1.0.post2
  1.0.post = 1.0.post0 < 1.0.post1
  1.0.dev = 1.0.dev0 = 1.0-DEV < 1.0.dev1 < 1.0
  2014.04 = 2014.4 < 2015.1 < 1!0.1 < 1!1.0 < 1!2.0 < 2!0
  1.0+ubuntu.1 = 1.0+ubuntu-1 = 1.0+ubuntu_1 < 1.0+ubuntu.2
  1.0 < 1.0+local < 1.0.post0
  1.0a1.dev1 < 1.0a1 < 1.0a1.post1.dev1 < 1.0a1.post1 < 1.0a2
  1.0 < 1.0+a < 1.0+a.1 < 1.0+b < 1.0+1 < 1.0+1.a < 1.0+1.1 < 1.0+2 < 1.0+10
  4.2.0rc1 < 4.2 < 4.2.1 < 5.0a1
`;

/** The documentation of Gem::Version. */
export const gem = `
  1.0.a10 < 1.0.b1 < 1.0 = 1 = 1.0.0 < 1.0.1.pre < 1.0.1 < 1.1
  1.a.1 < 1.b.1 < 1.b.2 < 1.b.10 < 1
  1.0.0.rc < 1.0.0.rc1 = 1.0.0.rc.1 < 1.0.0.rc2 < 1.0.0
  1.0.0-1 = 1.0.0.pre.1 < 1.0.0
  5.2.4.2 < 5.2.4.3 < 5.2.4.10 < 6.0.0.beta1 < 6.0.0.rc1 < 6.0.0 < 6.0.3.1 < 6.1.0
  0.a < 0 = 0.0 < 0.0.1 < 0.9 < 0.10 < 3.12.0
  2.0.0.pre.rc1 < 2.0.0.rc1 < 2.0.0 = 2 = 02
  1.0.0.a < 1.0.0.alpha < 1.0.0.alpha.1 < 1.0.0.beta < 1.0.0.pre < 1.0.0.rc.1 < 1.0.0.rc.2 < 1.0.0.rc.10 < 1.0.0
  1.8.2.b < 1.8.2 < 1.9.a < 1.9.0 = 1.9 < 1.9.3 < 1.10.0 < 2.0.0.preview1 < 2.0.0.preview2 < 2.0.0
  1.2.b1 < 1.2.b2 < 1.2.b10 < 1.2.0 < 1.2.3 < 1.2.20 < 1.3
  3.0.0.beta3 < 3.0.0.beta4 < 3.0.0.rc < 3.0.0 < 3.0.1 < 3.0.20 < 3.1.0.rc1
`;

/** getcomposer.org: versions; the normalization of composer/semver. */
export const composer = `
  1.0-dev < 1.0-alpha1 < 1.0-alpha2 < 1.0-beta < 1.0-beta1 < 1.0-beta10 < 1.0-RC1 < 1.0-RC2 < 1.0 < 1.0-patch1 < 1.0-p2 < 1.0.1
  1.0 = v1.0.0 = 1 = 1.0.0.0 = 1.0.0+build = 1.0.0-stable
  1.0.0a1 = 1.0.0-alpha1 = 1.0.0.alpha.1 < 1.0.0b1 = 1.0.0-beta.1 < 1.0.0rc1 = 1.0.0-RC1 < 1.0.0pl1 = 1.0.0-patch1
  1.0.0-beta1-dev < 1.0.0-beta1
  5.4.9 < 5.4.10 < 6.0.0-BETA1 < 6.0.0-RC1 < 6.0.0 < 6.0.0.1 < 6.10
  0.1 < 0.1.1 < 0.9 < 0.10 < 1.0 < 1.0.0.1 < 1.0.1 < 1.2 < 1.10 < 2.0-alpha < 2.0-beta < 2.0-RC < 2.0
  v2.0.0-alpha1 = 2.0.0-alpha.1 < v2.0.0-beta1 < v2.0.0-beta2 < v2.0.0-RC1 < v2.0.0-RC2 < v2.0.0 < v2.0.0-p1 < v2.0.1
  3.4.0-dev < 3.4.0-ALPHA1 < 3.4.0-BETA1 < 3.4.0-RC1 < 3.4.0 < 3.4.47 < 4.0.0-BETA1 < 4.0.0-RC1 < 4.0.0 < 4.0.1 < 4.1
`;
