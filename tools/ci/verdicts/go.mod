module assurance/verdicts

go 1.24.0

require (
	github.com/bitnami/go-version v0.0.0-20250505154626-452e8c5ee607
	golang.org/x/mod v0.30.0
)

require (
	github.com/aquasecurity/go-version v0.0.0-20210121072130-637058cfe492 // indirect
	golang.org/x/xerrors v0.0.0-20200804184101-5ec99f83aff1 // indirect
)
