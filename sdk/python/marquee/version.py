"""The version of this package: that of the product."""

VERSION = "0.2.0"
