// Command codegen-dotnet writes the SDK of a schema for .NET: codegen-dotnet <schema.json> <folder>. The generator comes from the
// last release of Pulumi that has it: later ones have it in a module that cannot be downloaded.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(source, folder string) error {
	text, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	// The generator downloads a picture for the package.
	logo := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer logo.Close()
	spec.LogoURL = logo.URL
	pkg, err := schema.ImportSpec(spec, map[string]schema.Language{"csharp": dotnet.Importer})
	if err != nil {
		return err
	}
	files, err := dotnet.GeneratePackage("pulumi-tunnel-gateway", pkg, nil, nil)
	if err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
